/**
 * Preferences that the service stores for the user, such as the height of rows. This browser has a copy, so that
 * nothing on the page moves while they are being read.
 */
import { useEffect } from 'preact/hooks'
import { get, request } from './api.ts'
import { useShared } from './shared-value.ts'

const key = 'tenantry.preferences'
/** How long changes are collected before they are sent. */
const settleMs = 350

interface Copy {
  userId: string
  values: Readonly<Record<string, unknown>>
  /** Names of values that the service does not have yet. */
  unsent: readonly string[]
}

let copy: Copy | null = null
/** The user whose preferences were read from the service, once for the whole page. */
let readFor: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** @returns the value, `undefined` if there is none, and a function that sets another one */
export function usePreference(userId: string, name: string): [unknown, (value: unknown) => void] {
  if (copy?.userId !== userId) copy = storedCopy(userId)
  useShared(listeners, () => copy)
  useEffect(() => {
    if (readFor !== userId) void readAll(userId)
  }, [userId])
  return [chosenValue(name), (value) => choose(userId, name, value)]
}

function chosenValue(name: string): unknown {
  return copy !== null && Object.hasOwn(copy.values, name) ? copy.values[name] : undefined
}

function choose(userId: string, name: string, value: unknown): void {
  const unsent = new Set([...(copy?.unsent ?? []), name])
  keep({ userId, values: { ...copy?.values, [name]: value }, unsent: [...unsent] })
  clearTimeout(timer)
  timer = setTimeout(() => void send(userId), settleMs)
}

/** Sends changes. A change that is refused, as while somebody acts as the user, stays in this browser only. */
async function send(userId: string): Promise<void> {
  for (const name of copy?.unsent ?? []) {
    const value = chosenValue(name)
    const isSent = await request('PUT', `/api/preferences/${name}`, { body: { value } }).then(
      () => true,
      () => false,
    )
    if (copy?.userId !== userId) return
    if (isSent && chosenValue(name) === value)
      keep({ ...copy, unsent: copy.unsent.filter((each) => each !== name) })
  }
}

async function readAll(userId: string): Promise<void> {
  readFor = userId
  const read = await get<{ name: string; value: unknown }[]>('/api/preferences').catch(() => null)
  if (read === null || copy?.userId !== userId) return
  const { unsent } = copy
  const own = unsent.map((name) => [name, chosenValue(name)] as const)
  const values = {
    ...Object.fromEntries(read.map((each) => [each.name, each.value])),
    ...Object.fromEntries(own),
  }
  if (JSON.stringify(values) !== JSON.stringify(copy.values)) keep({ userId, values, unsent })
  if (unsent.length > 0) void send(userId)
}

function keep(next: Copy): void {
  copy = next
  localStorage.setItem(key, JSON.stringify(next))
  for (const update of listeners) update()
}

function storedCopy(userId: string): Copy {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Copy | null // as `keep` has written it
    if (stored?.userId === userId && Array.isArray(stored.unsent)) return stored
  } catch {
    // the stored text is not JSON, so another program has written it
  }
  return { userId, values: {}, unsent: [] }
}
