/** Numbers that JavaScript reads as others. The console imports this file as well. */

/**
 * Numbers that JavaScript would change become raw JSON, which `JSON.stringify` writes as it was read. Code that expects
 * a number finds an object instead.
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

/** A double holds each number of 15 digits and an exponent of two. Texts in which these digits are cost a pass more. */
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

/** @param index of its first digit. Leaves `number.lastIndex` after the literal. */
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

/** The digits between the first and the last that are not zero, with the power of ten of the last one. */
function significand(literal: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? []
  const digits = `${whole}${fraction}`
  let [begin, end] = [0, digits.length]
  while (digits[begin] === '0') begin++
  while (end > begin && digits[end - 1] === '0') end--
  if (begin === end) return whole === '' ? literal : '0' // an infinity is no digits
  return `${sign}${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
