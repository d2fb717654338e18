/** The path of the service, below which a proxy may serve it; empty at the root of the host. */
export const servicePath = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** @param path such as `/api/products` */
export function serviceAddress(path: string): string {
  return `${servicePath}${path}`
}
