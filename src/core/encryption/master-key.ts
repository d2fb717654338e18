import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../../database/private-file.ts'

const keyLength = 32

/** The file of the generated key in the data folder. */
export const masterKeyFile = 'master.key'

/** The handling of a missing key. `generate`: into the data folder. `ephemeral`: for this process only. */
export type MissingKey = 'generate' | 'ephemeral' | 'refuse'

/**
 * The key from the setting, else from the data folder, where the first start generates it.
 * @param options `required`: the setting is required, because several instances cannot share a file
 * @param faults no key is generated while there are any
 * @returns 32 bytes; `null` when there are faults
 */
export function readMasterKey(
  setting: string | null,
  { dataDir, required, missing }: { dataDir: string; required: boolean; missing: MissingKey },
  faults: string[],
): Uint8Array | null {
  if (setting !== null) return decode(setting, 'MASTER_KEY', faults)
  if (required) {
    faults.push('MASTER_KEY: is required in production with PostgreSQL (32 bytes in base64)')
    return null
  }
  const path = join(dataDir, masterKeyFile)
  try {
    if (!existsSync(path)) {
      if (missing === 'ephemeral') return randomBytes(keyLength)
      if (missing === 'refuse') {
        faults.push(`MASTER_KEY: is not set, and there is no ${path}`)
        return null
      }
      if (faults.length > 0) return null
      makePrivateFolder(dataDir)
      generate(path)
    }
    return decode(readFileSync(path, 'utf8').trim(), path, faults)
  } catch (error) {
    faults.push(`DATA_DIR: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** @param setting keys in the form of MASTER_KEY, comma-separated */
export function readPreviousKeys(setting: string | null, faults: string[]): Uint8Array[] {
  const texts = (setting ?? '').split(',').filter((text) => text.trim() !== '')
  return texts.flatMap((text) => decode(text.trim(), 'PREVIOUS_MASTER_KEYS', faults) ?? [])
}

/** Writes the file completely or not at all. Two processes that start together use the same key. */
function generate(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const text = `${randomBytes(keyLength).toString('base64')}\n`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    // Some file systems do not support links.
    if (!alreadyExists(error)) renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function alreadyExists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function decode(text: string, source: string, faults: string[]): Uint8Array | null {
  const key = Buffer.from(text, 'base64')
  if (key.length === keyLength && /^[A-Za-z0-9+/]{43}=?$/.test(text)) return key
  faults.push(`${source}: must be ${keyLength} bytes in base64`)
  return null
}
