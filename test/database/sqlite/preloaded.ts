/** A library in C between a process and the system (LD_PRELOAD). */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** @param source in this folder @param library made of it */
export function compileLibrary(source: string, library: string): void {
  const words = ['-shared', '-fPIC', '-o', library, join(import.meta.dirname, source), '-ldl']
  const { status, stderr } = spawnSync('cc', words, { encoding: 'utf8' })
  assert.equal(status, 0, `This test needs a C compiler named cc: ${stderr}`)
}
