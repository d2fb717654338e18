import { Type } from 'typebox'
import {
  AdministratorInput,
  asOperator,
  createTenant,
  type Feature,
  Reply,
  route,
  TenantInput,
} from '../src/index.ts'

const { id, name } = TenantInput.properties
const SignUp = Type.Object({ id, name, admin: AdministratorInput }, { $id: 'SignUp' })

export const signUp: Feature = {
  name: 'signUp',
  routes: [
    route({
      method: 'POST',
      path: '/api/sign-up',
      summary: 'Create a tenant with its first administrator',
      tag: 'Sign-up',
      access: 'anonymous',
      database: 'catalogue',
      limit: 'strict',
      body: SignUp,
      status: 201,
      reply: Type.Object({ id, name }),
      headers: ['location'],
      errors: ['overloaded'],
      idempotent: true,
      handle: async (context, { body }) => {
        const tenant = await createTenant(asOperator(context), { ...body, plan: 'trial' })
        return new Reply(tenant, { location: `/api/tenants/${tenant.id}` })
      },
    }),
  ],
}
