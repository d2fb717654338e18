import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePrivateFolder } from '../../database/private-file.ts'
import { errorCode, errorMessage } from '../../database/thrown.ts'

/** Reads the master key, from which all keys of encryption are derived: from a setting, or from the data folder. */

const keyLength = 32

/** The file of the generated key in the data folder. */
export const masterKeyFile = 'master.key'

/** What to do without a key. `generate`: make one for the data folder. `ephemeral`: make one for this process only. */
export type MissingKey = 'generate' | 'ephemeral' | 'refuse'

export interface MasterKey {
  /** 32 bytes. */
  key: Uint8Array
  /** The file for a generated key, which is not written yet; `null` for any other key. */
  newFile: string | null
}

/**
 * Reads the key from the setting, or else from the data folder. A generated key is not written here: see
 * `keepMasterKey`.
 * @param options `required`: the setting is required, because several instances cannot share a file
 * @returns `null` when there are faults
 */
export function readMasterKey(
  setting: string | null,
  { dataDir, required, missing }: { dataDir: string; required: boolean; missing: MissingKey },
  faults: string[],
): MasterKey | null {
  if (setting !== null) return given(decode(setting, 'MASTER_KEY', faults))
  if (required) {
    faults.push('MASTER_KEY: is required in production with PostgreSQL (32 bytes in base64)')
    return null
  }
  const path = join(dataDir, masterKeyFile)
  try {
    if (!existsSync(path)) {
      if (missing !== 'refuse')
        return { key: randomBytes(keyLength), newFile: missing === 'generate' ? path : null }
      faults.push(`MASTER_KEY: is not set, and there is no ${path}`)
      return null
    }
    return given(readKeyFile(path, faults))
  } catch (error) {
    faults.push(`DATA_DIR: ${errorMessage(error)}`)
    return null
  }
}

/**
 * Writes a generated key. To be called before anything is encrypted.
 * @returns the key to use, which another process that started at the same time may have written
 * @throws errors of node:fs; Error for a damaged file
 */
export function keepMasterKey(key: Uint8Array, file: string): Uint8Array {
  makePrivateFolder(dirname(file))
  if (!existsSync(file)) write(file, key)
  const faults: string[] = []
  const kept = readKeyFile(file, faults)
  if (kept === null) throw new Error(faults.join(' '))
  return kept
}

function given(key: Uint8Array | null): MasterKey | null {
  return key === null ? null : { key, newFile: null }
}

function readKeyFile(path: string, faults: string[]): Uint8Array | null {
  return decode(readFileSync(path, 'utf8').trim(), path, faults)
}

/** @param setting keys in the form of MASTER_KEY, comma-separated */
export function readPreviousKeys(setting: string | null, faults: string[]): Uint8Array[] {
  const texts = (setting ?? '').split(',').filter((text) => text.trim() !== '')
  return texts.flatMap((text) => decode(text.trim(), 'PREVIOUS_MASTER_KEYS', faults) ?? [])
}

/** Writes the file completely or not at all, and does not replace one that another process has just written. */
function write(path: string, key: Uint8Array): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const text = `${Buffer.from(key).toString('base64')}\n`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    // Some file systems do not support links.
    if (errorCode(error) !== 'EEXIST') renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function decode(text: string, source: string, faults: string[]): Uint8Array | null {
  const key = Buffer.from(text, 'base64')
  if (key.length === keyLength && /^[A-Za-z0-9+/]{43}=?$/.test(text)) return key
  faults.push(`${source}: must be ${keyLength} bytes in base64`)
  return null
}
