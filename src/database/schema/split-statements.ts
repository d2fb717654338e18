import type { Dialect } from '../executor.ts'

/** Comments, quoted text and quoted names, in which a semicolon ends nothing. */
const opaque: Record<Dialect, RegExp> = {
  sqlite: /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/y,
  postgres:
    /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$/y,
}

const comment = /^(?:--|\/\*)/
/** Its statements end with semicolons as well. */
const trigger = /^CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i
const endOfTrigger = /;\s*END\s*$/i

/** @returns the statements of a text, without the semicolons at their ends and the comments before them */
export function splitStatements(text: string, dialect: Dialect): string[] {
  const statements: string[] = []
  const pattern = new RegExp(opaque[dialect])
  let current = ''
  for (let place = 0; place < text.length; ) {
    pattern.lastIndex = place
    const [whole] = pattern.exec(text) ?? []
    const next = whole ?? text.charAt(place)
    place += next.length
    if (whole !== undefined && comment.test(whole) && current.trim() === '') continue
    const isInside = trigger.test(current.trimStart()) && dialect === 'sqlite' && !endOfTrigger.test(current)
    if (next !== ';' || isInside) current += next
    else {
      statements.push(current.trim())
      current = ''
    }
  }
  return [...statements, current.trim()].filter((statement) => statement !== '')
}
