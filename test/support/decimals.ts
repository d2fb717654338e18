/** Decimals with four places, as they are sent and answered. */
import assert from 'node:assert/strict'

/** `199900n` → `19.9900` */
export function decimal(tenThousandths: bigint): string {
  const digits = String(tenThousandths).padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** The values of a member, read from the text itself: a client may well read decimals rather than doubles. */
export function decimalsIn(json: string, member: string): bigint[] {
  return [...json.matchAll(new RegExp(`"${member}":([^,}]+)`, 'g'))].map(([, value = '']) => {
    const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d{1,4}))?$/.exec(value) ?? []
    assert.notEqual(whole, '', `not a plain decimal: ${value}`)
    return BigInt(whole + fraction.padEnd(4, '0'))
  })
}
