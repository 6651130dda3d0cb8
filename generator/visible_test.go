package generator

import "testing"

func TestVisibleText(t *testing.T) {
	for _, tt := range []struct{ html, want string }{
		{"", ""},
		{" plain\n\n text\u00a0here ", "plain text here"},
		{"<p>one</p><p>two</p>", "one two"},
		{"in<em>li</em>ne<b>d</b>", "inlined"},
		{"<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>", "a b c"},
		{"<ul><li>a<li>b</ul>c", "a b c"},
		{"a<br>b<br/>c<hr>d", "a b c d"},
		{"<dl><dt>t<dd>d</dl>", "t d"},
		{"it&rsquo;s R&amp;D &amp;amp; &lt;b&gt; &#8212; &hellip;", "it’s R&D &amp; <b> — …"},
		{"AT&T &nosuch; & <", "AT&T &nosuch; & <"},
		{"a<script>if (a < b) { x('</p>') }</script>b", "ab"},
		{"a<style>p > a {}</style>b", "ab"},
		{"a<noscript><p>x</p></noscript>b", "ab"},
		{"a<template>x<template>y</template>z</template>b", "ab"},
		{"a<template>x<script>'</template>'</script>y</template>b", "ab"},
		{"a<iframe src=x>fallback</iframe>b", "ab"},
		{"a<!-- comment <p> -->b", "ab"},
		{"<pre>x  y\n  z</pre>", "x y z"},
		{`<img alt="not shown">a<input value=x>`, "a"},
		{"<textarea>a &amp; <b></textarea>", "a & <b>"},
		{"a<script>never closed", "a"},
		{"</p></div>a</span>", "a"},
		{"<P>A</P><SCRIPT>x</SCRIPT>B", "A B"},
		{"<svg><title>t</title><text>s</text></svg>", "s"},
		{"a\u200bb c\u00add", "a\u200bb c\u00add"},
		{"bad \xff\xfebytes \x00", "bad \ufffd\ufffdbytes \x00"},
		{"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢 ( kan )"},
	} {
		if got := visibleText(tt.html); got != tt.want {
			t.Errorf("visibleText(%q)\n got %q\nwant %q", tt.html, got, tt.want)
		}
	}
}

func TestPlainText(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"  two\n words ", "two words"},
		{"four\r\n\u2003\vwörds\u0085here ", "four wörds here"},
		{"R&amp;D &amp;amp; D", "R&D &amp; D"},
		{"<em>a</em>b<br>c", "ab c"},
		{"<p>a</p><p>b</p>", "a b"},
		{"Use <details> with care", "Use <details> with care"},
		{"List<T> and Map<K, V>", "List<T> and Map<K, V>"},
		{"a < b > c", "a < b > c"},
		{"x <!-- y --> z", "x z"},
		{"</em>", "</em>"},
		{`<a href="x">link</a>`, "link"},
	} {
		if got := plainText(tt.text); got != tt.want {
			t.Errorf("plainText(%q)\n got %q\nwant %q", tt.text, got, tt.want)
		}
	}
}
