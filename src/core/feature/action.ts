/** Actions that rules on incoming webhooks may run, by name. */

import { type Static, type TSchema, Type } from 'typebox'
import type { Context, IncomingEvent, RunnableAction } from '../context.ts'
import { DeclaredNames } from '../names.ts'
import type { RequiredAccess } from '../owner.ts'
import { inputReader } from '../schema/input.ts'
import { ApplicationError } from './application-error.ts'

export interface Action {
  access: RequiredAccess
  payload: TSchema
  run(context: Context, event: IncomingEvent<never>): Promise<void>
}

export type ActionCatalogue = Readonly<Record<string, Action>>

interface TypedAction<S extends TSchema> {
  /**
   * What the owner of a rule needs to run the action: a permission, `user` for any user of the tenant, or `admin` for
   * an administrator. The default is `admin`.
   */
  access?: RequiredAccess
  /** The schema of the body. Without it, any body is valid. */
  payload?: S
  /**
   * Runs in the transaction of the receipt, and must wait for nothing but the database. If it throws, its changes are
   * rolled back, and it runs again later.
   * @param context of the tenant, with the present rights of the rule's owner as its actor; without an actor, and with
   *   all rights of the tenant, for a rule of the administrators
   */
  run(context: Context, event: IncomingEvent<Static<S>>): Promise<void>
}

/** Declares an action. The schema types the payload that `run` receives. */
export function action<S extends TSchema>({ access, payload, run }: TypedAction<S>): Action {
  return { access: access ?? 'admin', payload: payload ?? Type.Unknown(), run }
}

export class Actions {
  readonly #actions = new Map<string, Action>()
  /** Actions that have been found before. The reader of a payload is compiled on the first use of its action. */
  readonly #ready = new Map<string, RunnableAction>()
  readonly declared: DeclaredNames

  /** @throws ApplicationError when two catalogues declare an action of the same name */
  constructor(catalogues: readonly ActionCatalogue[]) {
    for (const [name, found] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
      if (this.#actions.has(name)) throw new ApplicationError(`Two features declare the action ${name}.`)
      this.#actions.set(name, found)
    }
    this.declared = new DeclaredNames(this.#actions.keys())
  }

  /** @returns `null` for an unknown action */
  find(name: string): RunnableAction | null {
    const known = this.#ready.get(name)
    if (known !== undefined) return known
    const found = this.#actions.get(name)
    if (found === undefined) return null
    const read = inputReader(found.payload)
    const ready: RunnableAction = {
      access: found.access,
      read,
      run: async (context, event) => {
        const checked = { ...event, payload: read(event.payload) } as IncomingEvent<never> // validated against the action's schema
        await found.run(context, checked)
      },
    }
    this.#ready.set(name, ready)
    return ready
  }
}
