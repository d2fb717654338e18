/** How each field is called for rows of another tenant. A new field of the schema needs its lines here. */
import type { Names } from '../support/victim.ts'

/** Names of rows of a tenant, and a cursor after one of them. */
export interface Targets extends Names {
  cursor: string
}

export type Recipe = (targets: Targets) => string[]

const product = '{ id name description price category { id name } }'
const products = `{ totalCount nodes ${product} edges { cursor node { id } } pageInfo { hasNextPage } }`
const order = '{ id number customerId items { productId name product { id name category { name } } } }'
const orders = `{ totalCount nodes ${order} edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } }`

/** By the names of the fields of Query and Mutation. */
export const recipes: Readonly<Record<string, Recipe>> = {
  me: () => ['{ me { id userName email tenantId } }'],
  tenantSettings: () => ['{ tenantSettings { brandName locale } }'],
  updateTenantSettings: () => [
    'mutation { updateTenantSettings(input: { brandName: "Mine" }) { brandName } }',
  ],
  categories: ({ category }) => [
    '{ categories { id name } }',
    `{ categories(where: { id: { eq: "${category}" } }) { id name } }`,
    `{ categories(where: { id: { in: ["${category}"] } }, order: { name: DESC }) { id name } }`,
  ],
  categoriesConnection: ({ category }) => [
    '{ categoriesConnection { totalCount nodes { id name } } }',
    `{ categoriesConnection(where: { id: { eq: "${category}" } }) { totalCount nodes { id name } } }`,
  ],
  category: ({ category }) => [`{ category(id: "${category}") { id name } }`],
  createCategory: () => [
    // No two categories have one name, and what is created differs.
    `mutation { createCategory(input: { name: "${crypto.randomUUID()}" }) { __typename } }`,
  ],
  updateCategory: ({ category }) => [
    `mutation { updateCategory(id: "${category}", input: { name: "Mine" }) { id name } }`,
  ],
  deleteCategory: ({ category }) => [`mutation { deleteCategory(id: "${category}") { id name } }`],
  products: ({ product: id, productName, category }) => [
    `{ products ${product} }`,
    `{ products(where: { id: { eq: "${id}" } }) ${product} }`,
    `{ products(where: { id: { gte: "${id}" } }) ${product} }`,
    `{ products(where: { name: { contains: "${productName}" } }) ${product} }`,
    `{ products(where: { categoryId: { eq: "${category}" } }) ${product} }`,
    `{ products(where: { category: { id: { eq: "${category}" } } }) ${product} }`,
    `{ products(where: { or: [{ id: { eq: "${id}" } }, { category: { name: { neq: "a" } } }] }, order: { category: { name: ASC } }) ${product} }`,
  ],
  productsConnection: ({ product: id, productName, category }) => [
    `{ productsConnection ${products} }`,
    `{ productsConnection(where: { id: { eq: "${id}" } }) ${products} }`,
    `{ productsConnection(where: { name: { contains: "${productName}" } }, last: 50) ${products} }`,
    `{ productsConnection(where: { category: { id: { eq: "${category}" } } }, order: { name: ASC }) ${products} }`,
  ],
  product: ({ product: id }) => [`{ product(id: "${id}") ${product} }`],
  orders: ({ order: id, product: productId, productName, customer, cursor }) => [
    `{ orders ${orders} }`,
    `{ orders(where: { id: { eq: "${id}" } }) ${orders} }`,
    `{ orders(where: { customerId: { startsWith: "${customer}" } }) ${orders} }`,
    `{ orders(where: { items: { some: { productId: { eq: "${productId}" } } } }) ${orders} }`,
    `{ orders(where: { items: { all: { product: { name: { contains: "${productName}" } } } } }) ${orders} }`,
    `{ orders(where: { items: { none: { product: { id: { neq: "${productId}" } } } } }) ${orders} }`,
    `{ orders(first: 50, after: "${cursor}") ${orders} }`,
    `{ orders(last: 50, before: "${cursor}") ${orders} }`,
  ],
  productsAggregate: ({ product: id, category }) => [
    '{ productsAggregate { count sum { price } } }',
    `{ productsAggregate(where: { categoryId: { eq: "${category}" } }, groupBy: [name, id]) { count key { name id } } }`,
    `{ productsAggregate(where: { id: { eq: "${id}" } }) { count max { createdAt } } }`,
  ],
  categoriesAggregate: ({ category, productName }) => [
    `{ categoriesAggregate(where: { id: { eq: "${category}" } }, groupBy: name) { count key { name } } }`,
    `{ categoriesAggregate(where: { products: { some: { name: { eq: "${productName}" } } } }) { count } }`,
    '{ categories { products { totalCount nodes { id name } } } }',
  ],
  ordersAggregate: ({ order: id, product: productId, customer }) => [
    '{ ordersAggregate { count sum { total } max { number } } }',
    '{ ordersAggregate(groupBy: [customerId, id]) { count key { customerId id } } }',
    `{ ordersAggregate(where: { id: { eq: "${id}" } }, groupBy: number) { count key { number } min { createdAt } } }`,
    `{ ordersAggregate(where: { customerId: { istartsWith: "${customer}" } }) { count avg { total } } }`,
    `{ ordersAggregate(where: { items: { some: { productId: { eq: "${productId}" } } } }) { count } }`,
  ],
  order: ({ order: id }) => [`{ order(id: "${id}") ${order} }`],
  createProduct: ({ category }) => [
    `mutation { createProduct(input: { name: "Mine", price: 1, categoryId: "${category}" }) ${product} }`,
  ],
  updateProduct: ({ product: id }) => [
    `mutation { updateProduct(id: "${id}", input: { name: "Mine" }) ${product} }`,
  ],
  deleteProduct: ({ product: id }) => [`mutation { deleteProduct(id: "${id}") ${product} }`],
  createOrder: ({ product: id }) => [
    `mutation { createOrder(input: { customerId: "mine", items: [{ productId: "${id}", quantity: 1 }] }) ${order} }`,
  ],
  updateOrder: ({ order: id }) => [
    `mutation { updateOrder(id: "${id}", input: { customerId: "mine" }) ${order} }`,
  ],
  payOrder: ({ order: id }) => [`mutation { payOrder(id: "${id}") ${order} }`],
  cancelOrder: ({ order: id }) => [`mutation { cancelOrder(id: "${id}") ${order} }`],
}
