/** The command that creates an administrator. */
import { inputReader } from '../core/schema/input.ts'
import { lookUpTenant } from '../core/tenant/directory.ts'
import { UserInput } from '../identity/user/schema.ts'
import { createUser } from '../identity/user/user.ts'
import { print, type Run, UsageError } from './command.ts'
import { readSecret } from './terminal.ts'
import { withOperator } from './with-operator.ts'

export const createAdmin: Run = async (config, { options }, service, surroundings) => {
  const userName = options['username']
  const input = inputReader(UserInput)({
    userName,
    email: options['email'],
    password: await readSecret('Password', surroundings),
    firstName: options['first-name'] ?? userName,
    lastName: options['last-name'] ?? 'Administrator',
    roles: ['Admin'],
  })
  return withOperator(config, service, async ({ context }) => {
    const tenantId = options['tenant'] ?? context.tenant.id
    if ((await lookUpTenant(context, tenantId)) === null)
      throw new UsageError(`There is no tenant ${tenantId}.`)
    const user = await createUser(context, { ...input, tenantId })
    print(surroundings.output, `Administrator ${user.userName} of ${user.tenantId} is created: ${user.id}`)
  })
}
