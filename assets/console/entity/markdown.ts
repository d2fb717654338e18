/** Turns Markdown into elements: headings, lists, links, code, bold, italics. Everything else stays text. */
import { type ComponentChild, h } from 'preact'

/** This expression never goes back, so that its time grows with the length of the text alone. */
const inline =
  /`([^`]{1,999})`|\[([^[\]]{1,999})\]\(([^\s()]{1,999})\)|\*\*([^\s*](?:[^*]|\*(?!\*)){0,999})\*\*|\*([^\s*][^*]{0,999})\*|\b_([^\s_][^_]{0,999})_\b/g
const address = /^(https?:\/\/|mailto:)/i
// With the flag `s`, a point also matches line ends. Otherwise a mismatch would be tried again from each space before.
const item = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/s
const heading = /^(#{1,6})\s+(.*)$/s
const fence = /^\s*```/
/** The level of the highest heading. The page itself has a heading of the first level. */
const topLevel = 2

export function markdownOf(source: string): ComponentChild[] {
  const lines = source.split(/\r?\n/)
  let lineIndex = 0
  const take = (isMeant: (line: string) => boolean, most = Infinity): string[] => {
    const from = lineIndex
    while (lineIndex < lines.length && lineIndex - from < most && isMeant(lines[lineIndex] ?? ''))
      lineIndex += 1
    return lines.slice(from, lineIndex)
  }
  let level = topLevel - 1
  // No level is skipped, whatever levels the text has.
  const headingOf = (marks: string, words: string) => {
    level = Math.min(level + 1, topLevel - 1 + marks.length, 6)
    return h(`h${level}`, null, wordsOf(words))
  }
  const blocks: ComponentChild[] = []
  while (lineIndex < lines.length) blocks.push(nextBlock(lines[lineIndex] ?? '', take, headingOf))
  return blocks
}

type Take = (isMeant: (line: string) => boolean, most?: number) => string[]

/** @param take takes the next lines as long as a condition holds */
function nextBlock(
  first: string,
  take: Take,
  headingOf: (marks: string, words: string) => ComponentChild,
): ComponentChild {
  const isFence = (line: string) => fence.test(line)
  if (take(isFence, 1).length > 0) {
    const code = take((line) => !isFence(line))
    take(isFence, 1)
    return h('pre', null, h('code', null, code.join('\n')))
  }
  const [, number, items] = item.exec(first) ?? []
  if (items !== undefined) {
    const taken = take((line) => item.test(line)).map((line) => item.exec(line)?.[2] ?? '')
    return h(
      number === undefined ? 'ul' : 'ol',
      null,
      taken.map((each) => h('li', null, wordsOf(each))),
    )
  }
  const words = take((line) => line !== '' && ![fence, heading, item].some((other) => other.test(line)))
  if (words.length > 0) return h('p', null, wordsOf(words.join('\n')))
  take(() => true, 1)
  const [, marks = '', title] = heading.exec(first) ?? []
  return title === undefined ? null : headingOf(marks, title)
}

function wordsOf(text: string): ComponentChild[] {
  const parts: ComponentChild[] = []
  let end = 0
  for (const found of text.matchAll(inline)) {
    parts.push(text.slice(end, found.index), marked(found))
    end = found.index + found[0].length
  }
  return [...parts, text.slice(end)]
}

/** A link with another scheme stays text, such as `javascript:`. */
function marked([whole, code, label, href = '', bold, ...italics]: RegExpExecArray): ComponentChild {
  if (code !== undefined) return h('code', null, code)
  if (bold !== undefined) return h('strong', null, wordsOf(bold))
  if (label === undefined) return h('em', null, wordsOf(italics.join('')))
  return address.test(href) ? h('a', { href, target: '_blank', rel: 'noreferrer' }, label) : whole
}
