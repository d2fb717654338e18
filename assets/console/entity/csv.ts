/** Comma-separated values (RFC 4180). Lists and objects are JSON in a cell. */
export function toCsv(names: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))]
  return `${lines.map((line) => line.map(cellOf).join(',')).join('\r\n')}\r\n`
}

/** A text that begins like a formula gets an apostrophe: spreadsheets would run it. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const content = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(content)
  const safe = isFormula ? `'${content}` : content
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** @returns the cells of each line that has any, the first line included */
export function parseCsv(content: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain = '', end] of content.replace(/^\uFEFF/, '').matchAll(cellPattern)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') lines.push([])
  }
  return lines.filter((line) => line.some((cell) => cell !== ''))
}

/** A cell, quoted or plain, and what ends it: a comma, the end of the line, or that of the text. */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g
