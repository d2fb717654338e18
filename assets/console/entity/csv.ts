/** Writes comma-separated values (RFC 4180). Lists and objects are JSON in a cell. */
export function toCsv(names: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = rows.map((row) => names.map((name) => cellOf(row[name])))
  return writeLines([names, ...lines], ',')
}

/** @param lines of cells as they are read again: nothing is done but quoting */
export function writeLines(lines: readonly (readonly string[])[], separator: string): string {
  const quoted = (cell: string) =>
    cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  return lines.map((line) => `${line.map(quoted).join(separator)}\r\n`).join('')
}

/** No value is an empty cell; an empty text is an apostrophe. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guarded(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Spreadsheets run a text that begins like a formula: it gets an apostrophe. So does one that would lose an apostrophe
 * when it is read again, and so that it differs from no value the empty one.
 */
export function guarded(text: string): string {
  return /^'*(?:[=+\-@\t\r\n]|$)/.test(text) ? `'${text}` : text
}

/** @returns the text whose cell it is */
export function unguarded(cell: string): string {
  return /^'+(?:[=+\-@\t\r\n]|$)/.test(cell) ? cell.slice(1) : cell
}
