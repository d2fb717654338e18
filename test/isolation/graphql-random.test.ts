import { keepApart } from './graphql-random.ts'

keepApart(100)
