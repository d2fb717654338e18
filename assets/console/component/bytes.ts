import { language } from '../text/text.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** @returns a size for people, such as `1.4 MB` */
export function bytesText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const format = {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short', // the short form of bytes has no plural
    maximumFractionDigits: 1,
  } as const
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** step)
}
