import type { BackedUpFile } from '../operations/backup/manifest.ts'

export function describeFile({ file, bytes, rows }: BackedUpFile): string {
  const count = Object.values(rows).reduce((sum, n) => sum + n, 0)
  return `${file}: ${megabytes(bytes)}, ${count} rows`
}

export function describeTotal(files: readonly BackedUpFile[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return `${files.length} database${files.length === 1 ? '' : 's'}, ${megabytes(bytes)}`
}

/** Of 10⁶ bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
