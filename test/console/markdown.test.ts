/** What the Markdown of a text becomes: elements from a short list, and never anything that a text says of itself. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ComponentChild, VNode } from 'preact'
import { markdownOf } from '../../assets/console/entity/markdown.ts'

/** As HTML, in which text that looks like a tag is told from a tag. */
function shown(child: ComponentChild | ComponentChild[]): string {
  if (Array.isArray(child)) return child.map(shown).join('')
  if (child === null || typeof child !== 'object') return `${child ?? ''}`.replaceAll('<', '&lt;')
  const { type, props } = child as VNode<Record<string, unknown>>
  const { children, ...attributes } = props
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
  return `<${type}${named.join('')}>${shown(children as ComponentChild[])}</${type}>`
}

const html = (source: string) => shown(markdownOf(source))
const link = (href: string, label: string) =>
  `<a href="${href}" target="_blank" rel="noreferrer">${label}</a>`

describe('Markdown', () => {
  it('has headings below those of the page, paragraphs, and lists', () => {
    assert.equal(html('# One\ntext\n\nmore\n## Two'), '<h2>One</h2><p>text</p><p>more</p><h3>Two</h3>')
    assert.equal(html('### a\n### b\n###### c\n# d'), '<h2>a</h2><h3>b</h3><h4>c</h4><h2>d</h2>')
    assert.equal(html('- a\n* b\n\n1. c\n2) d'), '<ul><li>a</li><li>b</li></ul><ol><li>c</li><li>d</li></ol>')
  })

  it('has items and headings with any letter', () => {
    assert.equal(html('- a\u2028b\n# c\rd'), '<ul><li>a\u2028b</li></ul><h2>c\rd</h2>')
  })

  it('has code, in which nothing is marked', () => {
    assert.equal(html('a `**b**` c'), '<p>a <code>**b**</code> c</p>')
    assert.equal(
      html('```ts\n# no *heading*\n```\nafter'),
      '<pre><code># no *heading*</code></pre><p>after</p>',
    )
    assert.equal(html('```\nopen'), '<pre><code>open</code></pre>')
  })

  it('has bold and italic words, also within each other', () => {
    assert.equal(html('**a** *b* _c_'), '<p><strong>a</strong> <em>b</em> <em>c</em></p>')
    assert.equal(html('**a *b* c**'), '<p><strong>a <em>b</em> c</strong></p>')
    assert.equal(html('2 * 3 * 4 and snake_case_name'), '<p>2 * 3 * 4 and snake_case_name</p>')
  })

  it('has links to pages and mailboxes alone', () => {
    assert.equal(html('[a](https://example.com/b?c=1)'), `<p>${link('https://example.com/b?c=1', 'a')}</p>`)
    assert.equal(html('[a](mailto:ada@example.com)'), `<p>${link('mailto:ada@example.com', 'a')}</p>`)
    for (const href of [
      'javascript:alert`1`',
      'JaVaScRiPt:alert`1`',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      '/api/users',
      'java\u0000script:x',
      ' https://example.com',
    ])
      assert.doesNotMatch(html(`[a](${href})`), /<a/, href)
  })

  it('makes no element from a tag, an attribute or an entity in the text', () => {
    for (const source of [
      '<script>alert(1)</script>',
      '# <img src=x onerror=alert(1)>',
      '- <svg onload=alert(1)>',
      '**<iframe src=//evil>**',
      '```\n</code></pre><script>\n```',
      '`<b>`',
      '&lt;script&gt;',
    ]) {
      const tags = new Set([...html(source).matchAll(/<\/?(\w+)/g)].map(([, name]) => name))
      for (const tag of tags) assert.match(tag ?? '', /^(h2|p|ul|li|strong|pre|code)$/, source)
    }
    const [paragraph] = markdownOf('[a" onclick="x](https://e.example/"onmouseover="x)') as [VNode]
    const [, anchor] = paragraph.props.children as unknown as [string, VNode<{ href: string }>]
    assert.equal(anchor.type, 'a')
    assert.deepEqual(Object.keys(anchor.props).sort(), ['children', 'href', 'rel', 'target'])
  })

  it('keeps every letter of a text that is no Markdown', () => {
    for (const source of ['[[[[', '**', '*', '`', '[a](', '_', '](x)', '![a](b)', '****'])
      assert.equal(html(source), `<p>${source}</p>`)
  })

  it('takes as many steps as the text has letters', () => {
    // Quadratic work on 200 000 letters would outlast the limit of the run.
    for (const part of ['[', '**a', '*a ', '_a ', '`', '[a](', '# ', '- ', '```\n', '\n', 'a\n'])
      markdownOf(part.repeat(Math.ceil(200_000 / part.length)))
    for (const mark of ['-', '#', '1.']) markdownOf(`${mark}${' '.repeat(200_000)}a\u2028b`)
  })
})
