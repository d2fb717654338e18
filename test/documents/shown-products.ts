/** What is there before the operations of a document are run. */
import type { Client } from '../support/client.ts'

export async function makeProductsOfReadme(client: Client): Promise<void> {
  await client.post('/api/products', { name: 'Walnut desk', price: 349.9 })
}

export async function makeProductsOfGateway(client: Client): Promise<void> {
  const furniture = await client.post('/api/categories', { name: 'Furniture' })
  const desk = (name: string, price: number) =>
    client.post('/api/products', { name, price, categoryId: furniture.body.id })
  await desk('Walnut desk', 349.9)
  const oak = await desk('Oak desk', 499)
  await desk('Stool', 40)
  for (const quantity of [1, 1, 2]) {
    await client.post('/api/orders', { customerId: 'c', items: [{ productId: oak.body.id, quantity }] })
  }
}
