/** Exact arithmetic with amounts of at most four decimals, in ten-thousandths. */
import { maxAmount } from './schema/schema.ts'

const decimals = 4

/** @param amount valid by the schema `Price`: its shortest text is exact */
export function toTenThousandths(amount: number): bigint {
  const [whole = '', fraction = ''] = String(amount).split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** @returns `null` for more than the largest amount */
export function toAmount(tenThousandths: bigint): number | null {
  if (tenThousandths > maxTenThousandths) return null
  const digits = String(tenThousandths).padStart(decimals + 1, '0')
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`)
}

const maxTenThousandths = toTenThousandths(maxAmount)
