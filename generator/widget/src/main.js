import { ReadFinderSearch } from './element.js';
import { serveWorker } from './index.js';

// One module is both: the page's element, and the worker that a large index is searched in.
if (typeof document === 'undefined') serveWorker();
else if (!customElements.get('read-finder-search')) customElements.define('read-finder-search', ReadFinderSearch);
