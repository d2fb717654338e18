/**
 * Refuses JSON with numbers that JavaScript cannot keep. It reads a number as the nearest double (RFC 8259, section
 * 6), so that 820982911946154508 would become 820982911946154500.
 */
import { ServiceError } from '../errors.ts'
import { changedNumber } from './exact-number.ts'

/** @throws SyntaxError for other text; ServiceError `invalid` for a number that JavaScript would change */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  requireExactNumbers(text)
  return value
}

/** @param json valid JSON @throws ServiceError `invalid` for a number that JavaScript would change */
export function requireExactNumbers(json: string): void {
  const number = changedNumber(json)
  if (number !== null) throw new ServiceError('invalid', inexact(number))
}

export function inexact(number: string): string {
  const shown = number.length > maxShown ? `${number.slice(0, maxShown)}…` : number
  return `The number ${shown} would not be kept exactly: send fewer digits, or a string where one is accepted.`
}

const maxShown = 40
