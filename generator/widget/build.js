// Builds the bundle that the Go package embeds: read-finder.js and read-finder.css.
// node build.js          writes them
// node build.js --check  fails where what is committed is not what the source gives, or is too large
import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

/** What the widget may weigh in all, gzipped, in bytes. */
const BUDGET = 14_000;

/**
 * Leaves out what uFuzzy carries and the widget does not use: its helpers hang on the function as properties, where no
 * tree shaking finds them.
 */
const leanUFuzzy = {
  name: 'lean-ufuzzy',
  setup({ onLoad }) {
    onLoad({ filter: /uFuzzy\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source
        .replace(/^uFuzzy\.(latinize|highlight) = .*$|^uFuzzy\.permute = [^]*?^};$/gm, '')
        .replace('const latinize = (()', 'const latinize = /* @__PURE__ */ (()');
      if (/^uFuzzy\./m.test(contents) || !contents.includes('@__PURE__')) throw new Error(`${path}: the helpers are not where they were`);
      return { contents };
    });
  },
};

process.chdir(import.meta.dirname);
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const { outputFiles } = await build({
  entryPoints: { 'read-finder': 'src/main.js', 'read-finder-css': 'src/style.css' },
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  charset: 'utf8',
  legalComments: 'none',
  define: { VERSION: JSON.stringify(version) },
  banner: { js: `/*! read-finder ${version}, Apache-2.0; contains uFuzzy (c) Leon Sorokin, MIT */`, css: `/*! read-finder ${version}, Apache-2.0 */` },
  plugins: [leanUFuzzy],
  outdir: '.',
  write: false,
});

/** @type {Record<string, string>} */
const files = {};
for (const { path, text } of outputFiles) {
  // What esbuild has minified terser makes a twentieth smaller still.
  if (path.endsWith('.js')) files['read-finder.js'] = (await minify(text, { module: true, ecma: 2020 })).code ?? '';
  else files['read-finder.css'] = text;
}

let total = 0;
for (const [name, text] of Object.entries(files)) {
  const size = gzipSync(text, { level: 9 }).length;
  total += size;
  console.log(`${name}: ${Buffer.byteLength(text)} bytes, ${size} gzipped`);
  if (!process.argv.includes('--check')) {
    await writeFile(name, text);
  } else if (text !== (await readFile(name, 'utf8'))) {
    console.error(`${name} is not what the source gives: run npm run build`);
    process.exitCode = 1;
  }
}
console.log(`in all ${total} bytes gzipped, of ${BUDGET}`);
if (total > BUDGET) process.exitCode = 1;
