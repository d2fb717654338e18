/** Creates tenants and users of a service under test, by verbs instead of routes, which a service may leave out. */
import { randomBytes } from 'node:crypto'
import type { Actor, Context, Shared, Tenant } from '../core/context.ts'
import { requestContext, tenantContext } from '../core/create-context.ts'
import { listEvents, type StoredEvent } from '../core/events/history.ts'
import { newId } from '../core/id.ts'
import { withTenantDatabase } from '../core/tenant/with-database.ts'
import type { Database } from '../database/executor.ts'
import type { UserInput } from '../identity/user/schema.ts'
import { createUser } from '../identity/user/user.ts'
import type { TenantInput } from '../tenancy/schema.ts'
import { createTenant } from '../tenancy/tenant.ts'
import { TestCaller } from './test-caller.ts'
import type { TestClock } from './test-clock.ts'

/** The address and the access of a service under test. */
export interface TestAccess {
  url: string
  clock: TestClock
  /** A context with the rights of the operator. */
  operator: Context
  /** Finds the user of an access token. */
  actorOf(token: string): Promise<Actor>
}

/** The password of all users that tests create. It satisfies the password rule. */
export const testPassword = 'Test@12345'

const maxEvents = 10_000

export class TestTenant {
  readonly id: string
  /** A user with the role Admin. */
  readonly admin: TestCaller
  /** A user with the role User. */
  readonly user: TestCaller
  readonly #tenant: Tenant
  readonly #access: TestAccess

  private constructor(tenant: Tenant, access: TestAccess, callers: { admin: TestCaller; user: TestCaller }) {
    this.id = tenant.id
    this.admin = callers.admin
    this.user = callers.user
    this.#tenant = tenant
    this.#access = access
  }

  static async create(access: TestAccess, input: Partial<Omit<TenantInput, 'admin'>>): Promise<TestTenant> {
    const id = input.id ?? `tenant-${suffix()}`
    const tenant = await createTenant(access.operator, { name: id, ...input, id })
    const admin = await newCaller(access, id, { userName: 'admin', roles: ['Admin'] })
    const user = await newCaller(access, id, { userName: 'user' })
    return new TestTenant(tenant, access, { admin, user })
  }

  /** Creates another user. @param input without a name, one is made up */
  newUser(input: Partial<UserInput> = {}): Promise<TestCaller> {
    return newCaller(this.#access, this.id, { userName: `user-${suffix()}`, ...input })
  }

  /** @returns the events of the tenant so far, the oldest first; 10 000 at most */
  events(): Promise<StoredEvent[]> {
    return this.run((context) => listEvents(context, maxEvents))
  }

  /** Calls a verb as background work of the tenant does. */
  async run<T>(work: (context: Context) => Promise<T>): Promise<T> {
    return this.#inDatabase((shared, database) => work(tenantContext(shared, this.#tenant, database)))
  }

  /**
   * Calls a verb like the route of a feature does for the user: with the user's rights, and under access rules.
   * @param user a user of the tenant, or `anonymous` of the service
   */
  async as<T>(user: TestCaller, work: (context: Context) => Promise<T>): Promise<T> {
    const actor = user.userId === null ? null : await this.#access.actorOf(await user.token())
    if (actor !== null && actor.tenantId !== this.id) throw new Error('This user is of another tenant.')
    const source = { id: newId(), ip: '127.0.0.1', userAgent: null }
    const tenant = this.#tenant
    return this.#inDatabase((shared, database) =>
      work(requestContext(shared, source, { actor, tenant, idempotency: null, database })),
    )
  }

  async #inDatabase<T>(work: (shared: Shared, database: Database) => Promise<T>): Promise<T> {
    const { shared } = this.#access.operator
    return withTenantDatabase(shared, this.#tenant, (database) => work(shared, database))
  }
}

async function newCaller(
  { operator, url, clock }: TestAccess,
  tenantId: string,
  { userName, ...input }: Partial<UserInput> & { userName: string },
): Promise<TestCaller> {
  const password = input.password ?? testPassword
  const names = { firstName: 'Ada', lastName: 'Lovelace', email: `${userName}@example.com` }
  const { id } = await createUser(operator, { ...names, ...input, userName, password, tenantId })
  return new TestCaller(url, clock, { id, userName, password, tenantId })
}

function suffix(): string {
  return randomBytes(5).toString('hex')
}
