/** Writes comma-separated values (RFC 4180). Lists and objects are JSON in a cell. */
export function toCsv(names: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = rows.map((row) => names.map((name) => cellOf(row[name])))
  return writeLines([names, ...lines], ',')
}

/** @param lines of cells that are written as they are, only quoted where needed */
export function writeLines(lines: readonly (readonly string[])[], separator: string): string {
  const quoted = (cell: string) =>
    cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  return lines.map((line) => `${line.map(quoted).join(separator)}\r\n`).join('')
}

/** @returns the cell for a value: empty for no value, an apostrophe for an empty text */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guarded(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula. A text that begins with such an
 * apostrophe itself, and the empty text, get one too, so that `unguarded` can read every text again.
 */
export function guarded(text: string): string {
  return /^'*(?:[=+\-@\t\r\n]|$)/.test(text) ? `'${text}` : text
}

/** @returns the text from which `guarded` made the cell */
export function unguarded(cell: string): string {
  return /^'+(?:[=+\-@\t\r\n]|$)/.test(cell) ? cell.slice(1) : cell
}
