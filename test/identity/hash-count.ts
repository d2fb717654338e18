/** Counts password hashes by the tasks that Node.js starts for them. */
import { type AsyncHook, createHook } from 'node:async_hooks'

/** @returns how many were started while `work` ran */
export async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = onHash(() => count++)
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}

/** Resolves when the next hash begins: its request has looked up the user, and is busy for a while. */
export function nextHash(): Promise<void> {
  return new Promise((resolve) => {
    const hook = onHash(() => {
      hook.disable()
      resolve()
    })
  })
}

/** @returns how many ran at the same time, at most, while `work` ran */
export async function maxHashesAtOnce(work: () => Promise<unknown>): Promise<number> {
  const underWay = new Set<number>()
  let max = 0
  const hook = createHook({
    init: (id, type) => {
      if (type !== 'ARGON2REQUEST') return
      underWay.add(id)
      max = Math.max(max, underWay.size)
    },
    before: (id) => void underWay.delete(id),
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return max
}

function onHash(listener: () => void): AsyncHook {
  const init = (_id: number, type: string): void => {
    if (type === 'ARGON2REQUEST') listener()
  }
  return createHook({ init }).enable()
}
