/** How each field is called for rows of another tenant. A new field that is no entity's needs its lines here. */
import type { Feature } from '../../src/core/feature/feature.ts'
import { entityQueries } from './entity-queries.ts'
import type { Recipe, Targets } from './graphql-recipe.ts'
import { readableQueries } from './readable-queries.ts'

const product = '{ id name description price category { id name } }'
const products = `{ totalCount nodes ${product} edges { cursor node { id } } pageInfo { hasNextPage } }`
const order = '{ id number customerId items { productId name product { id name category { name } } } }'
const orders = `{ totalCount nodes ${order} edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } }`

/** By the names of the fields: of what is no entity's, and further ways into the rows of entities. */
const written: Readonly<Record<string, (targets: Targets) => string[]>> = {
  me: () => ['{ me { id userName email tenantId } }'],
  tenantSettings: () => ['{ tenantSettings { brandName locale } }'],
  updateTenantSettings: () => [
    'mutation { updateTenantSettings(input: { brandName: "Mine" }) { brandName } }',
  ],
  categories: ({ category }) => [
    `{ categories(where: { id: { in: ["${category}"] } }, order: { name: DESC }) { id name } }`,
    '{ categories { products { totalCount nodes { id name } } } }',
  ],
  products: ({ product: id }) => [
    `{ products(where: { id: { gte: "${id}" } }) ${product} }`,
    `{ products(where: { or: [{ id: { eq: "${id}" } }, { category: { name: { neq: "a" } } }] }, order: { category: { name: ASC } }) ${product} }`,
  ],
  productsConnection: ({ productName, category }) => [
    `{ productsConnection(where: { name: { contains: "${productName}" } }, last: 50) ${products} }`,
    `{ productsConnection(where: { category: { id: { eq: "${category}" } } }, order: { name: ASC }) ${products} }`,
  ],
  orders: ({ product: productId, productName, customer, cursor }) => [
    `{ orders(where: { customerId: { startsWith: "${customer}" } }) ${orders} }`,
    `{ orders(where: { items: { all: { product: { name: { contains: "${productName}" } } } } }) ${orders} }`,
    `{ orders(where: { items: { none: { product: { id: { neq: "${productId}" } } } } }) ${orders} }`,
    `{ orders(first: 50, after: "${cursor}") ${orders} }`,
    `{ orders(last: 50, before: "${cursor}") ${orders} }`,
  ],
  productsAggregate: ({ category }) => [
    '{ productsAggregate { count sum { price } } }',
    `{ productsAggregate(where: { categoryId: { eq: "${category}" } }, groupBy: [name, id]) { count key { name id } } }`,
  ],
  categoriesAggregate: ({ category, productName }) => [
    `{ categoriesAggregate(where: { id: { eq: "${category}" } }, groupBy: name) { count key { name } } }`,
    `{ categoriesAggregate(where: { products: { some: { name: { eq: "${productName}" } } } }) { count } }`,
  ],
  ordersAggregate: ({ order: id, customer }) => [
    '{ ordersAggregate { count sum { total } max { number } } }',
    '{ ordersAggregate(groupBy: [customerId, id]) { count key { customerId id } } }',
    `{ ordersAggregate(where: { id: { eq: "${id}" } }, groupBy: number) { count key { number } min { createdAt } } }`,
    `{ ordersAggregate(where: { customerId: { istartsWith: "${customer}" } }) { count avg { total } } }`,
  ],
}

/** By the names of the fields of Query and Mutation. */
export function recipesFor(features: readonly Feature[]): Readonly<Record<string, Recipe>> {
  const recipes = { ...entityQueries(features), ...readableQueries(features) }
  for (const [name, write] of Object.entries(written)) {
    const { [name]: ofEntity = () => [] } = recipes
    recipes[name] = (targets) => [...ofEntity(targets), ...write(targets).map((query) => ({ query }))]
  }
  return recipes
}
