/** How fields are called for rows of another tenant, by whom, and whose rows they are. */
import type { Client } from '../support/client.ts'
import type { Names } from '../support/names.ts'
import type { TestService } from '../support/service.ts'
import type { Victim } from '../support/victim.ts'

/** Names of rows of a tenant, and a cursor after one of them. */
export interface Targets extends Names {
  cursor: string
}

export interface Asked {
  query: string
  variables?: Record<string, unknown>
}

export type Recipe = (targets: Targets) => Asked[]

/** How a subscription is followed. */
export interface Following {
  query: string
  /** Whether the rows are those of the host, which nobody else may follow. */
  isOfHost: boolean
  /** Triggers an event that contains the text. @returns the id of its row */
  cause(client: Client, text: string): Promise<string>
}

export interface Scene {
  service: TestService
  victim: Victim
  targets: Targets
  intruders: Record<string, Client>
  /** By the names of the fields of Query and Mutation. */
  recipes: Readonly<Record<string, Recipe>>
  /** By the names of the fields of Subscription. */
  followings: Readonly<Record<string, Following>>
}
