/** The context that every page of a signed-in user can use: the user, the entities, and the permissions. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { EntityDescription } from './describe.ts'
import type { FrameDescription } from './frame/description.ts'
import type { PortalSession } from './portal.ts'

export interface CurrentUser {
  id: string
  userName: string
  firstName: string
  lastName: string
  tenantId: string
  roles: readonly string[]
  permissions: readonly string[]
  impersonator?: { userName: string }
}

/** The name by which people know the user. */
export function nameOf({ firstName, lastName, userName }: CurrentUser): string {
  const name = `${firstName} ${lastName}`.trim()
  return name === '' ? userName : name
}

export interface App {
  user: CurrentUser
  entities: readonly EntityDescription[]
  /** The pages and panels that the application adds to the console, as far as the user sees them. */
  frames: readonly FrameDescription[]
  can: (permission: string) => boolean
  /** The session of the embedded webhook pages that a customer uses; absent in the console. */
  portal?: PortalSession
}

export const AppContext = createContext<App | null>(null)

/** @throws Error outside of a signed-in page */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('Nobody is signed in.')
  return app
}
