/** What earlier runs on this machine saw of each test file. A fresh checkout has none. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

export interface FileHistory {
  /** 1 after a failure; half of it after each run that passed. */
  failures: number
  wallMs: number
  processorMs: number
}

/** By the path of the test file from the root of the project. */
export type History = Record<string, FileHistory>

const path = resolve(import.meta.dirname, '../../../node_modules/.cache/test-history.json')

export function readHistory(): History {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** @param seen of the files of a run, each with 1 or 0 failures */
export function addToHistory(seen: History): void {
  const history = readHistory()
  for (const [file, { failures, ...took }] of Object.entries(seen)) {
    const before = history[file]?.failures ?? 0
    history[file] = { failures: failures === 1 ? 1 : before / 2, ...took }
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(history))
}
