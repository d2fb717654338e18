/** Exact arithmetic with amounts of at most four decimals, in ten-thousandths. */
import { refusal } from './errors.ts'
import { maxAmount } from './schema/schema.ts'

const decimals = 4

/** @param amount valid by the schema `Price`: its shortest text is exact */
export function toTenThousandths(amount: number): bigint {
  const [whole = '', fraction = ''] = String(amount).split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** @returns `null` for more than the largest amount, or less than the smallest */
export function toAmount(tenThousandths: bigint): number | null {
  const [sign, size] = tenThousandths < 0n ? ['-', -tenThousandths] : ['', tenThousandths]
  if (size > maxTenThousandths) return null
  const digits = String(size).padStart(decimals + 1, '0')
  return Number(`${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`)
}

/** The exact sum of amounts. @throws ServiceError `invalid` for more than the largest amount */
export function sumOf(amounts: Iterable<number>): number {
  let sum = 0n
  for (const amount of amounts) sum += toTenThousandths(amount)
  return bounded(sum)
}

/**
 * The exact product of an amount and a whole number.
 * @throws ServiceError `invalid` for more than the largest amount
 */
export function multiply(amount: number, quantity: number): number {
  return bounded(toTenThousandths(amount) * BigInt(quantity))
}

function bounded(tenThousandths: bigint): number {
  const amount = toAmount(tenThousandths)
  if (amount === null) throw refusal('amountTooLarge', { limit: maxAmount })
  return amount
}

const maxTenThousandths = toTenThousandths(maxAmount)
