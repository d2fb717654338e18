import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every file below the folder by its path, and the SHA-256 of its bytes. */
export function contentsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const entries = files.map(({ parentPath, name }) => {
    const path = join(parentPath, name)
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
    return [path.slice(folder.length + 1), digest] as const
  })
  return new Map(entries.toSorted())
}
