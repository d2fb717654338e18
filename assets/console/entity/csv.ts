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

/** @returns the cells of each line, the first line included */
export function parseCsv(content: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    line.push(cell)
    cell = ''
  }
  const endLine = () => {
    endCell()
    if (line.some((each) => each !== '')) lines.push(line)
    line = []
  }
  for (let at = content.startsWith('\uFEFF') ? 1 : 0; at < content.length; at++) {
    const letter = content.charAt(at)
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (content.charAt(at + 1) === '"') cell += content.charAt(++at)
      else isQuoted = false
    } else if (letter === '"' && cell === '') isQuoted = true
    else if (letter === ',') endCell()
    else if (letter === '\n') endLine()
    else if (letter !== '\r') cell += letter
  }
  endLine()
  return lines
}
