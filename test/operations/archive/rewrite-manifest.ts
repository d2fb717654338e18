import { DatabaseSync } from 'node:sqlite'
import { digestedText } from '../../../src/operations/backup/file.ts'

/** With the digest that fits. */
export function rewriteManifest(path: string, change: (manifest: Record<string, unknown>) => object): void {
  const file = new DatabaseSync(path)
  const { sha256: _digest, ...manifest } = JSON.parse(
    String(file.prepare('SELECT content FROM manifest').get()?.['content']),
  )
  file.prepare('UPDATE manifest SET content = ?').run(digestedText(change(manifest)))
  file.close()
}
