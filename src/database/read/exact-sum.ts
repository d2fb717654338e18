/**
 * SQL for exact sums of numbers. SQLite stores an amount as a binary fraction, and sums of those are not exact. Amounts
 * are therefore rounded to whole ten-thousandths ("units"). Their sum may exceed the 64 bits of an integer, so that the
 * high and the low parts of the units are added separately.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import type { ReadField } from './read-model.ts'

type Expression = RawBuilder<unknown>

/** The low part of a number is its remainder by this, and never negative. */
const part = 1_000_000

/** The sum in whole units as text, for `unitsOf`; NULL without a value. */
export function sumText(field: ReadField, column: Expression, dialect: Dialect): Expression {
  if (dialect === 'postgres')
    return sql`cast(trunc(cast(sum(${column}) as numeric) * ${sql.lit(10 ** decimalsOf(field))}) as text)`
  const [high, low] = sqliteParts(field, column)
  return sql`(${high}) || ' ' || (${low})`
}

/** @returns the expressions by which groups are sorted in the order of their sums */
export function sumOrder(field: ReadField, column: Expression, dialect: Dialect): Expression[] {
  return dialect === 'postgres' ? [sql`sum(${column})`] : sqliteParts(field, column)
}

/** Both databases divide the same binary numbers, so that they agree on which averages are equal. */
export function averageOrder(field: ReadField, column: Expression, dialect: Dialect): Expression {
  const sum = dialect === 'postgres' ? postgresUnits(field, column) : sqliteUnits(field, column)
  return sql`${sum} / nullif(count(${column}), 0)`
}

/** @returns the number of decimal digits after the point of a field's values */
export function decimalsOf({ kind }: ReadField): number {
  return kind === 'decimal' ? 4 : 0
}

function postgresUnits(field: ReadField, column: Expression): Expression {
  return sql`cast(sum(${column}) * ${sql.lit(10 ** decimalsOf(field))} as double precision)`
}

function sqliteUnits(field: ReadField, column: Expression): Expression {
  const [high, low] = sqliteParts(field, column)
  return sql`((${high}) * ${sql.lit(part)}.0 + (${low}))`
}

function sqliteParts(field: ReadField, column: Expression): [high: Expression, low: Expression] {
  const decimals = decimalsOf(field)
  const units = decimals === 0 ? column : sql`cast(round(${column} * ${sql.lit(10 ** decimals)}) as integer)`
  const size = sql.lit(part)
  const low = sql`((${units} % ${size} + ${size}) % ${size})`
  return [sql`sum((${units} - ${low}) / ${size}) + sum(${low}) / ${size}`, sql`sum(${low}) % ${size}`]
}

/** Reads the text that an expression of `sumText` has. */
export function unitsOf(text: string): bigint {
  const [high = '', low] = text.split(' ')
  return low === undefined ? BigInt(high) : BigInt(high) * BigInt(part) + BigInt(low)
}

const averageDecimals = 6

/** @returns the average as decimal text, rounded to six decimals, halves away from zero */
export function averageText(units: bigint, count: number, decimals: number): string {
  const dividend = units * 10n ** BigInt(averageDecimals)
  const divisor = BigInt(count) * 10n ** BigInt(decimals)
  const half = divisor / 2n
  return decimalText((dividend + (dividend < 0n ? -half : half)) / divisor, averageDecimals)
}

/** @param units the number times 10 to the power of `decimals` */
export function decimalText(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, split)}${fraction === '' ? '' : `.${fraction}`}`
}
