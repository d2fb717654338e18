/** Tables in Markdown, and their places between marks. */

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `|${cells.map((text) => ` ${cell(text)} `.replace(/^ +$/, ' ')).join('|')}|\n`
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`
}

export function code(text: string): string {
  return `\`${text}\``
}

/** @returns the page with what is between its marks renewed @throws Error when it has no such marks */
export function withPart(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no ${begin} followed by ${end}.`)
  return `${page.slice(0, from + begin.length)}\n${text}${page.slice(to)}`
}

function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').split('`')
  // Between backticks everything stands for itself.
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part)).join('`')
}
