/**
 * Acting as a user, by which an administrator of the host helps: this tab has a token for that user, while the
 * administrator's own session continues.
 */
import { hrefOf } from './router.ts'

export interface ActingToken {
  accessToken: string
  expiresAt: string
}

const key = 'tenantry.acting'

export function beginActing({ accessToken, expiresAt }: ActingToken): void {
  sessionStorage.setItem(key, JSON.stringify({ accessToken, expiresAt }))
  location.assign(hrefOf('/'))
}

/** Whether the page is about to be loaded again: nothing may be sent with the administrator's token meanwhile. */
let isLeaving = false

/** Ends acting. The administrator's own session continues. */
export function endActing(): void {
  isLeaving = true
  forgetActing()
  location.assign(hrefOf('/users'))
}

export function forgetActing(): void {
  sessionStorage.removeItem(key)
}

export function isActing(): boolean {
  return sessionStorage.getItem(key) !== null
}

/** @returns the token for acting; `null` if nobody acts; a promise that never resolves while the page is being left */
export async function actingToken(): Promise<string | null> {
  const stored = sessionStorage.getItem(key)
  if (isLeaving) return new Promise(() => undefined)
  if (stored === null) return null
  const { accessToken, expiresAt } = JSON.parse(stored) as ActingToken // written above
  if (Date.now() < Date.parse(expiresAt)) return accessToken
  endActing()
  return new Promise(() => undefined)
}
