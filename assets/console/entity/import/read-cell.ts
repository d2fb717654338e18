/** Reads the value of a cell by the kind of its field. A value that is not clear is refused, not guessed. */

import { isExactNumber, parseKeepingNumbers } from '../../../../src/core/schema/exact-number.ts'
import { isDay } from '../../component/day-text.ts'
import type { FieldDescription } from '../../describe.ts'
import { unguarded } from '../csv.ts'

export type CellFault =
  | 'noInteger'
  | 'noNumber'
  | 'noBoolean'
  | 'noChoice'
  | 'noDate'
  | 'noMoment'
  | 'noJson'
  | 'noList'

export type CellResult = { value: unknown } | { fault: CellFault }

const booleans = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
])
const moment = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** @returns the value; `undefined` for an empty cell of a field that cannot be `null`, whose member is left out */
export function readCell(field: FieldDescription, cell: string): CellResult {
  if (field.kind === 'text') return cell === '' ? noValue(field) : { value: unguarded(cell) }
  const word = unguarded(cell).trim()
  return word === '' ? noValue(field) : readWord(field, word)
}

function noValue({ isNullable }: FieldDescription): CellResult {
  return { value: isNullable ? null : undefined }
}

function readWord({ kind, schema }: FieldDescription, word: string): CellResult {
  switch (kind) {
    case 'integer':
      return valueIf(/^-?\d+$/.test(word) && Number.isSafeInteger(Number(word)), Number(word), 'noInteger')
    case 'money':
      return valueIf(/^-?\d+(?:\.\d+)?$/.test(word) && isExactNumber(word), Number(word), 'noNumber')
    case 'boolean':
      return valueIf(booleans.has(word.toLowerCase()), booleans.get(word.toLowerCase()), 'noBoolean')
    case 'enum':
      return valueIf(schema.enum?.includes(word) === true, word, 'noChoice')
    case 'date':
      return valueIf(isDay(word), word, 'noDate')
    case 'timestamp':
      return valueIf(moment.test(word) && !Number.isNaN(Date.parse(word)), word, 'noMoment')
    case 'json':
      return readJson(word)
    case 'many':
      return readList(word)
    default:
      return { value: word }
  }
}

function valueIf(isRight: boolean, value: unknown, fault: CellFault): CellResult {
  return isRight ? { value } : { fault }
}

function readJson(word: string): CellResult {
  try {
    return { value: parseKeepingNumbers(word) }
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: 'noJson' }
    throw error
  }
}

function readList(word: string): CellResult {
  const read = readJson(word)
  return 'fault' in read || Array.isArray(read.value) ? read : { fault: 'noList' }
}
