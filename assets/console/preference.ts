/** Small things that the service keeps for the user. This browser has a copy, so that nothing moves while they are read. */
import { useEffect, useState } from 'preact/hooks'
import { get, request } from './api.ts'

const key = 'tenantry.preferences'
const settleMs = 350

interface Copy {
  userId: string
  values: Readonly<Record<string, unknown>>
}

let copy: Copy | null = null
/** Whose were read from the service: once for the whole page. */
let readFor: string | null = null
const listeners = new Set<() => void>()
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/** @returns the value, `undefined` if there is none, and what sets another one */
export function usePreference(userId: string, name: string): [unknown, (value: unknown) => void] {
  if (copy?.userId !== userId) copy = storedCopy(userId)
  const [, redraw] = useState(0)
  useEffect(() => {
    const update = () => redraw((turn) => turn + 1)
    listeners.add(update)
    if (readFor !== userId) void readAll(userId)
    return () => {
      listeners.delete(update)
    }
  }, [userId])
  return [chosenValue(name), (value) => choose(userId, name, value)]
}

function chosenValue(name: string): unknown {
  return copy !== null && Object.hasOwn(copy.values, name) ? copy.values[name] : undefined
}

function choose(userId: string, name: string, value: unknown): void {
  keep({ userId, values: { ...copy?.values, [name]: value } })
  clearTimeout(waiting.get(name))
  const send = () => {
    waiting.delete(name)
    // Who acts as the user may not change it: this browser has it nevertheless.
    void request('PUT', `/api/preferences/${name}`, { body: { value } }).catch(() => undefined)
  }
  waiting.set(name, setTimeout(send, settleMs))
}

async function readAll(userId: string): Promise<void> {
  readFor = userId
  const read = await get<{ name: string; value: unknown }[]>('/api/preferences').catch(() => null)
  if (read === null || copy?.userId !== userId) return
  const values = Object.fromEntries(read.map(({ name, value }) => [name, value]))
  const unsent = [...waiting.keys()].map((name) => [name, chosenValue(name)] as const)
  keep({ userId, values: { ...values, ...Object.fromEntries(unsent) } })
}

function keep(next: Copy): void {
  copy = next
  localStorage.setItem(key, JSON.stringify(next))
  for (const update of listeners) update()
}

function storedCopy(userId: string): Copy {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Copy | null // as `keep` has written it
    if (stored?.userId === userId) return stored
  } catch {
    // somebody else has written it
  }
  return { userId, values: {} }
}
