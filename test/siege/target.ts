/** The target: a running service with tenants, as a value that can be sent to other processes. */
import { mapAtOnce } from '../../bench/client.ts'
import { Client } from '../support/client.ts'
import { fillWithProducts } from '../support/product-rows.ts'
import { callersAt, person, type TestTenant } from '../support/service.ts'

export interface Member {
  tenantId: string
  userId: string
  accessToken: string
  refreshToken: string
}

export interface TargetTenant {
  id: string
  productIds: readonly string[]
  admin: Member
  user: Member
}

export interface Target {
  port: number
  /** Has products whose descriptions are as large in JSON as can be. */
  filled: TargetTenant
  /** Has fewer of them. */
  alsoFilled: TargetTenant
  /** What its users do is an attack. */
  hostile: TargetTenant
  /** Its reads and writes are what is measured. */
  wellBehaved: TargetTenant
}

/** How many products there are. */
export interface TargetSizes {
  filled: number
  alsoFilled: number
  wellBehaved: number
  /** Those of the well-behaved tenant with long descriptions: a page of them is a large reply. */
  leaflets: number
}

const usualSizes: TargetSizes = { filled: 2010, alsoFilled: 600, wellBehaved: 300, leaflets: 60 }

/** Makes the tenants of a fresh service. */
export async function prepareTarget(
  url: string,
  databaseUrl: string,
  sizes: TargetSizes = usualSizes,
): Promise<Target> {
  const anonymous = new Client(url)
  await anonymous.post('/api/init/first-admin', person('admin'))
  const { signIn } = callersAt(anonymous, anonymous)
  const host = (await signIn('admin')).client
  const { newTenant } = callersAt(anonymous, host)
  const toTarget = async (tenant: TestTenant, count: number): Promise<TargetTenant> => {
    const productIds = await createProducts(tenant, count)
    return { id: tenant.id, productIds, ...(await signInMembers(anonymous, tenant.id)) }
  }
  const [filled, alsoFilled] = await Promise.all([newTenant(), newTenant()])
  const [hostile, wellBehaved] = await Promise.all([newTenant(), newTenant()])
  await fillWithProducts({ config: { databaseUrl } }, filled, sizes.filled)
  await fillWithProducts({ config: { databaseUrl } }, alsoFilled, sizes.alsoFilled)
  const port = Number(new URL(url).port)
  const target = {
    port,
    filled: await toTarget(filled, 1),
    alsoFilled: await toTarget(alsoFilled, 1),
    hostile: await toTarget(hostile, 10),
    wellBehaved: await toTarget(wellBehaved, sizes.wellBehaved),
  }
  await createLeaflets(wellBehaved, sizes.leaflets) // last: the first pages of its list are those of lamps
  return target
}

/** The same tenants after another start, on another port. */
export async function signInAgain(url: string, target: Target): Promise<Target> {
  const anonymous = new Client(url)
  const again = async (tenant: TargetTenant) => ({
    ...tenant,
    ...(await signInMembers(anonymous, tenant.id)),
  })
  return {
    port: Number(new URL(url).port),
    filled: await again(target.filled),
    alsoFilled: await again(target.alsoFilled),
    hostile: await again(target.hostile),
    wellBehaved: await again(target.wellBehaved),
  }
}

function createProducts(tenant: TestTenant, count: number): Promise<string[]> {
  return createEach(tenant, count, (index) => ({ name: `Lamp ${index}`, price: index }))
}

function createLeaflets(tenant: TestTenant, count: number): Promise<string[]> {
  const description = 'x'.repeat(2000)
  return createEach(tenant, count, (index) => ({ name: `Leaflet ${index}`, price: 2000, description }))
}

function createEach(tenant: TestTenant, count: number, make: (index: number) => object): Promise<string[]> {
  const indexes = Array.from({ length: count }, (_each, index) => index)
  return mapAtOnce(indexes, 16, async (index) => {
    const made = await tenant.user.post('/api/products', make(index))
    if (made.status !== 201) throw new Error(made.text)
    return String(made.body.id)
  })
}

async function signInMembers(anonymous: Client, tenantId: string): Promise<{ admin: Member; user: Member }> {
  const { signIn } = callersAt(anonymous, anonymous)
  const member = async (userName: string): Promise<Member> => {
    const { client, accessToken, refreshToken } = await signIn(userName, tenantId)
    const { body } = await client.get('/api/auth/me')
    return { tenantId, userId: body.id, accessToken, refreshToken }
  }
  const [admin, user] = await Promise.all([member('boss'), member('worker')])
  return { admin, user }
}
