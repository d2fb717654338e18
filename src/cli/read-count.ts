import { UsageError } from './command.ts'

/** The value of an option that is a whole number from 1. @throws UsageError */
export function readCount(name: string, text: string, most: number): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`)
}
