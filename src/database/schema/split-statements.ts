/** Splits the SQL of a migration into statements. */
import type { Dialect } from '../executor.ts'

/** Matches comments, quoted text and quoted names: a semicolon inside them does not end a statement. */
const opaque: Record<Dialect, string> = {
  sqlite: String.raw`--[^\n]*|/\*[\s\S]*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\`[^\`]*\`|\[[^\]]*\]`,
  postgres: String.raw`--[^\n]*|/\*[\s\S]*?\*/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$`,
}
/** Matches text in which no comment and no quote begins. */
const plain = String.raw`(?:(?![eE]')[^;'"$\`\[/-])+`

const parts: Record<Dialect, RegExp> = {
  sqlite: new RegExp(`${opaque.sqlite}|${plain}|[\\s\\S]`, 'g'),
  postgres: new RegExp(`${opaque.postgres}|${plain}|[\\s\\S]`, 'g'),
}

const comment = /^(?:--|\/\*)/
const isQuoted = /^(?:[eE]?'|["`[]|\$\w*\$)/
/** A trigger of SQLite contains statements that end with semicolons as well. */
const trigger = /^CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i
const endOfTrigger = /;\s*END\s*$/i

/** @returns the statements of a text, without the semicolons at their ends and the comments before them */
export function splitStatements(text: string, dialect: Dialect): string[] {
  const statements: string[] = []
  let current = ''
  for (const [part] of text.matchAll(parts[dialect])) {
    if (part === ';' && !isInTrigger(current, dialect)) {
      statements.push(current.trim())
      current = ''
    } else if (current !== '' || !(comment.test(part) || part.trim() === '')) current += part
  }
  return [...statements, current.trim()].filter((statement) => statement !== '')
}

/** @returns a statement with a blank between words and none beside punctuation, without comments */
export function withoutLayout(statement: string, dialect: Dialect): string {
  const quoted: string[] = []
  const text = statement.replaceAll('\r\n', '\n').replaceAll(parts[dialect], (part) => {
    if (comment.test(part)) return ' '
    return isQuoted.test(part) ? `\0${quoted.push(part) - 1}\0` : part
  })
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),=<>]) ?/g, '$1')
    .trim()
    .replaceAll(/\0(\d+)\0/g, (_, place) => quoted[Number(place)] ?? '')
}

function isInTrigger(statement: string, dialect: Dialect): boolean {
  return dialect === 'sqlite' && trigger.test(statement) && !endOfTrigger.test(statement)
}
