import { describe, expect, test } from 'vitest'
import { pageText } from './page-text.ts'

const textOf = (html: string): string => pageText(html, 'https://example.com/dir/page').text

describe('a page as text', () => {
  test.each([
    ['<p>one</p><p>two</p>', 'one\n\ntwo'],
    ['a<br>b', 'a\nb'],
    ['<h2>Head</h2>text', '## Head\n\ntext'],
    ['<b>bold</b> and <i>not</i>', 'bold and not'],
    ['word<b>s</b>', 'words'],
    ['<a href="x">there</a>', '[there](https://example.com/dir/x)'],
    ['<a href="javascript:x">there</a>', 'there'],
    ['<a href="#part">there</a>', 'there'],
    ['<a href="https://a.test/(b)">a](https://evil.test)</a>', '[a(https://evil.test)](https://a.test/%28b%29)'],
    ['<a href="x"><img alt="logo"></a>', '[[image: logo]](https://example.com/dir/x)'.replace('[[image: logo]]', '[image: logo]')],
    ['<a href="x">open', '[open](https://example.com/dir/x)'],
    ['<pre>  a\n    b</pre>', '```\n  a\n    b\n```'],
    ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>', '| 1 | 2\n| 3'],
    ['&lt;tag&gt; &amp;amp; &#65;&#x42; &unknown; &#0; &#1114112;', '<tag> &amp; AB &unknown; \ufffd \ufffd'],
    ['1 < 2 and a<b', '1 < 2 and a'],
    ['<!-- secret -->shown<!-- open', 'shown'],
    ['<script>if (a < b) "</scripty>"</script>x', 'x'],
    ['<style>x', ''],
    ['<div hidden>no <div>no</div> no</div>yes', 'yes'],
    ['<span style="display: none">no</span>yes', 'yes'],
    ['<span style="font-size:0">no</span><span style="opacity:0.5">yes</span>', 'yes'],
    ['<span aria-hidden="true">no</span>yes', 'yes'],
    ['a\u200bb\u202ec\u{e0041}d', 'abcd'],
    ['<p title="a > b">x</p>', 'x'],
    ['<li>a<li>b', '- a\n- b'],
    ['<noscript>no</noscript><svg><text>no</text></svg>yes', 'yes'],
    ['<blockquote>said</blockquote>', '> said'],
    ['', ''],
  ])('%j is %j', (html, text) => expect(textOf(html)).toBe(text))

  test('has the title of the page by itself', () => {
    expect(pageText('<title> A &amp; <b> </title><p>text</p>', 'https://example.com/')).toEqual({ title: 'A & <b>', text: 'text' })
  })

  test.each([
    ['unclosed comments', '<!--'],
    ['unclosed tags', '<a '],
    ['unclosed quotes', '<a title="'],
    ['unclosed scripts', '<script>'],
    ['unclosed titles', '<title>'],
    ['nested links', '<a href="x">'],
    ['nested elements', '<div>'],
    ['hidden elements', '<p hidden>'],
    ['spaces in code', `<pre>${' '.repeat(100)}`],
    ['references', '&amp'],
    ['less-than signs', '<'],
    ['attributes', '<a b=c d="e" '],
  ])('of a million characters of %s is read in one pass', (_, piece) => {
    expect(textOf(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(1_100_000)
  })
})
