import { person } from '../service.ts'
import type { RunningService } from './workplace.ts'

export interface Administrator {
  accessToken: string
  /** The header of that name. */
  authorization: string
}

/** Creates the first administrator of a fresh service, and signs in. */
export async function createAdmin({ anonymous }: Pick<RunningService, 'anonymous'>): Promise<Administrator> {
  const admin = person('admin')
  const made = await anonymous.post('/api/init/first-admin', admin)
  const answer = await anonymous.post('/api/auth/login', { userName: 'admin', password: admin['password'] })
  if (answer.status !== 200) throw new Error(`No administrator: ${made.text} ${answer.text}`)
  const { accessToken } = answer.body
  return { accessToken, authorization: `Bearer ${accessToken}` }
}
