/** Reads the header `Range` (RFC 9110, section 14). */
import type { ByteRange } from '../core/file-store.ts'

/**
 * @param header ignored if it has several ranges or another unit
 * @returns the range; `null` for the whole content; `unsatisfiable` for a range beyond the end
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  const end = size - 1
  if (first === '') {
    const length = Number(last)
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null // an invalid range is ignored
  if (start > end) return 'unsatisfiable'
  return { start, end: last === '' ? end : Math.min(end, Number(last)) }
}
