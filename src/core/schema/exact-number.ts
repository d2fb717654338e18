/** Finds numbers in JSON that JavaScript would read as other numbers. The console imports this file as well. */

/**
 * Parses JSON. Numbers that JavaScript would change become raw JSON objects, which `JSON.stringify` writes as they were
 * read.
 * @throws SyntaxError
 */
export function parseKeepingNumbers(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return changedNumber(text) === null ? value : JSON.parse(text, keepNumber as Reviver) // the types lack the source
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown

function keepNumber(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  return typeof value !== 'number' || isExactNumber(source) ? value : rawJson(source)
}

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown } // the types lack it

/** Whether JavaScript reads the number as it is written: `0.10` and `1e2`, but not `9007199254740993`. */
export function isExactNumber(literal: string): boolean {
  return significand(literal) === significand(String(Number(literal)))
}

/** Matches what may change: a double keeps every number of 15 digits with an exponent of two digits. */
const mayChange = /\d[\d.]{15}|\d[eE][+-]?\d{3}/

const quote = 0x22
const backslash = 0x5c

/** @param json valid JSON @returns the first number that JavaScript would change, or `null` */
export function changedNumber(json: string): string | null {
  if (!mayChange.test(json)) return null
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === quote) index = endOfText(json, index + 1)
    else if (isDigit(code)) {
      const literal = numberAt(json, index)
      if (mayChange.test(literal) && !isExactNumber(literal)) return literal
      index = number.lastIndex - 1
    }
  }
  return null
}

const number = /-?\d[\d.eE+-]*/y

/** @param index the index of the first digit @returns the number; sets `number.lastIndex` to its end */
function numberAt(json: string, index: number): string {
  number.lastIndex = json[index - 1] === '-' ? index - 1 : index
  return number.exec(json)?.[0] ?? ''
}

function endOfText(json: string, begin: number): number {
  let index = begin
  while (index < json.length && json.charCodeAt(index) !== quote)
    index += json.charCodeAt(index) === backslash ? 2 : 1
  return index
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** @returns the digits from the first to the last that is not zero, and the power of ten: equal for equal numbers */
function significand(literal: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? []
  const digits = `${whole}${fraction}`
  let [begin, end] = [0, digits.length]
  while (digits[begin] === '0') begin++
  while (end > begin && digits[end - 1] === '0') end--
  if (begin === end) return whole === '' ? literal : '0' // `Infinity` has no digits
  return `${sign}${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
