import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

export const diskSync = fs.fdatasync

/** Replaces what SQLite's log is synced with; `diskSync` restores it. */
export function replaceSync(sync: (descriptor: number, done: fs.NoParamCallback) => void): void {
  Object.assign(fs, { fdatasync: sync })
  syncBuiltinESMExports()
}
