/** Finds the place of an error in JSON. Browsers name the place of some errors only, and each in its own words. */

type Expected = 'value' | 'key' | 'colon' | 'end of value'

const token =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

/** @returns the place of the error; `null` for valid JSON, and for an empty text */
export function placeOfFault(words: string): { line: number; column: number } | null {
  if (words.trim() === '' || isJson(words)) return null
  const before = words.slice(0, faultIn(words)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function isJson(words: string): boolean {
  try {
    JSON.parse(words)
    return true
  } catch {
    return false
  }
}

/** @returns the index of the first token that JSON does not allow there */
function faultIn(words: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let last = ''
  let position = 0
  for (;;) {
    position += /^\s*/.exec(words.slice(position))?.[0].length ?? 0
    token.lastIndex = position
    const [found] = token.exec(words) ?? []
    if (found === undefined) return position
    const next = afterToken(found, { expected, last, open })
    if (next === null) return position
    expected = next
    last = found
    position = token.lastIndex
  }
}

interface Parsing {
  expected: Expected
  /** The previous token. */
  last: string
  /** The open brackets; `afterToken` changes this list. */
  open: string[]
}

/** @returns what comes next, or `null` if the token cannot be there */
function afterToken(found: string, parsing: Parsing): Expected | null {
  const { expected, open } = parsing
  switch (found) {
    case '}':
    case ']':
      return afterClosing(found === '}' ? '{' : '[', parsing)
    case ',':
      return expected === 'end of value' ? partOf(open.at(-1)) : null
    case ':':
      return expected === 'colon' ? 'value' : null
    default:
      return afterValue(found, parsing)
  }
}

function afterClosing(opening: string, { expected, last, open }: Parsing): Expected | null {
  const mayClose = open.pop() === opening && (expected === 'end of value' || last === opening)
  return mayClose ? 'end of value' : null
}

function afterValue(found: string, { expected, open }: Parsing): Expected | null {
  if (expected === 'key') return found.startsWith('"') ? 'colon' : null
  if (expected !== 'value') return null
  if (found !== '{' && found !== '[') return 'end of value'
  open.push(found)
  return partOf(found)
}

function partOf(bracket: string | undefined): Expected | null {
  if (bracket === undefined) return null
  return bracket === '{' ? 'key' : 'value'
}
