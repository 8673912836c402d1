import type { Cardinality } from '../state/event.ts'

/** A property that developers state about themselves or a project. */
export interface Attribute {
  readonly name: string
  readonly category: string
  readonly cardinality: Cardinality
  /** Nouns for it. */
  readonly nouns: readonly string[]
  /** Known values, each with other spellings after `|`. */
  readonly values: readonly string[]
}

function attribute(
  category: string,
  name: string,
  nouns: string,
  values: string,
  cardinality: Cardinality = 'single',
): Attribute {
  const split = (text: string): readonly string[] =>
    text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  return {
    name,
    category,
    cardinality,
    nouns: [name.replaceAll('_', ' '), ...split(nouns)],
    values: split(values),
  }
}

/** The built-in attributes. An attribute that is not listed can have many values, so that it never replaces anything. */
export const attributes: readonly Attribute[] = [
  attribute(
    'tooling',
    'editor',
    'ide, text editor, code editor',
    'VS Code|vscode|visual studio code|vs-code, Vim, Neovim|nvim|neo vim, Emacs, Sublime Text|sublime, IntelliJ|intellij idea, WebStorm, PyCharm, GoLand, Zed, Cursor, Helix, Nano, Xcode, Android Studio, Windsurf, Kakoune, Notepad++',
  ),
  attribute(
    'tooling',
    'package_manager',
    'package manager, dependency manager, pkg manager',
    'npm, pnpm, yarn, Bun|bun, pip, Poetry|poetry, uv, conda, pipenv, cargo, Composer|composer, bundler, NuGet|nuget, Homebrew|brew, pdm, apt',
  ),
  attribute(
    'tooling',
    'test_framework',
    'test framework, testing framework, test runner, testing library, tests',
    'Jest|jest, Vitest|vitest, Mocha|mocha, Jasmine|jasmine, pytest|py.test, unittest, RSpec|rspec, minitest, JUnit|junit, PHPUnit|phpunit, xUnit|xunit, NUnit|nunit, AVA, tape, node:test, GoogleTest|gtest',
  ),
  attribute(
    'tooling',
    'e2e_framework',
    'e2e framework, end-to-end framework, browser tests, e2e tests',
    'Playwright|playwright, Cypress|cypress, Selenium|selenium, Puppeteer|puppeteer, WebdriverIO|webdriverio',
  ),
  attribute(
    'tooling',
    'formatter',
    'code formatter, formatting tool',
    'Prettier|prettier, Biome|biome, Black|black, gofmt, rustfmt, clang-format, dprint, yapf, ruff format',
  ),
  attribute(
    'tooling',
    'linter',
    'lint tool',
    'ESLint|eslint, TSLint|tslint, Ruff|ruff, flake8, pylint, RuboCop|rubocop, golangci-lint, oxlint, stylelint, clippy, standardjs',
  ),
  attribute(
    'tooling',
    'type_checker',
    'type checker, type checking',
    'mypy, pyright, ty, pyre, flow',
  ),
  attribute(
    'tooling',
    'bundler',
    'bundler, build tool, build system',
    'Vite|vite, webpack, Rollup|rollup, esbuild, Parcel|parcel, Turbopack|turbopack, Rspack|rspack, rolldown, tsup, SWC|swc, Babel|babel, Gradle|gradle, Maven|maven, Bazel|bazel, CMake|cmake, make, Turborepo|turborepo, Nx|nx',
  ),
  attribute('tooling', 'shell', 'shell', 'bash, zsh, fish, PowerShell|powershell|pwsh, nushell'),
  attribute(
    'tooling',
    'terminal',
    'terminal, terminal emulator',
    'iTerm2|iterm, Ghostty|ghostty, Alacritty|alacritty, kitty, WezTerm|wezterm, Warp|warp, tmux',
  ),
  attribute(
    'tooling',
    'operating_system',
    'operating system, os, platform',
    'macOS|mac os|osx|os x|mac, Linux|linux, Windows|windows, Ubuntu|ubuntu, Debian|debian, Arch Linux|arch, Fedora|fedora, NixOS|nixos, WSL|wsl',
  ),
  attribute(
    'tooling',
    'version_control',
    'version control, vcs',
    'git, jujutsu|jj, mercurial|hg, svn|subversion',
  ),
  attribute(
    'tooling',
    'code_host',
    'code host, git host, forge',
    'GitHub|github, GitLab|gitlab, Bitbucket|bitbucket, Gitea|gitea, Codeberg|codeberg',
  ),
  attribute(
    'tooling',
    'ci',
    'ci, ci system, ci provider, ci/cd, pipeline',
    'GitHub Actions|github actions, GitLab CI|gitlab ci, CircleCI|circleci|circle ci, Jenkins|jenkins, Travis|travis ci, Buildkite|buildkite, Azure Pipelines|azure pipelines, Drone|drone ci',
  ),
  attribute(
    'tooling',
    'issue_tracker',
    'issue tracker, ticket system, project tracker',
    'Jira|jira, Linear|linear, Trello|trello, Asana|asana, GitHub Issues|github issues, ClickUp|clickup',
  ),
  attribute(
    'stack',
    'language',
    'language, programming language',
    'TypeScript|typescript, JavaScript|javascript, Python|python, Rust|rust, Go|golang, Java|java, Kotlin|kotlin, Swift|swift, C#|csharp, C++|cpp, Ruby|ruby, PHP|php, Elixir|elixir, Scala|scala, Haskell|haskell, Dart|dart, Zig|zig, Lua|lua, Clojure|clojure, CoffeeScript|coffeescript',
  ),
  attribute('stack', 'runtime', 'runtime, js runtime', 'Node.js|node|nodejs|node js, Deno|deno'),
  attribute(
    'stack',
    'framework',
    'framework, frontend framework, ui framework, frontend, ui library, front end, front-end',
    'React|react|reactjs|react.js, Vue|vue|vuejs|vue.js, Angular|angular, Svelte|svelte, SvelteKit|sveltekit, SolidJS|solid|solidjs, Preact|preact, Next.js|nextjs|next js|next.js, Nuxt|nuxt|nuxtjs, Remix|remix, Astro|astro, Qwik|qwik, Ember|ember, htmx, Lit',
  ),
  attribute(
    'stack',
    'backend_framework',
    'backend framework, web framework, backend, api framework, server framework',
    'Express|express|express.js, Fastify|fastify, NestJS|nestjs|nest.js, Hono|hono, Koa|koa, Django|django, Flask|flask, FastAPI|fastapi|fast api, Rails|rails|ruby on rails, Laravel|laravel, Spring Boot|spring boot|spring, Phoenix|phoenix, Gin, Echo, Fiber, Actix|actix, Axum|axum, ASP.NET|asp.net, Symfony|symfony',
  ),
  attribute(
    'stack',
    'database',
    'database, db, datastore, data store, primary database',
    'PostgreSQL|postgres|postgresql|pg, MySQL|mysql, MariaDB|mariadb, SQLite|sqlite, MongoDB|mongo|mongodb, DynamoDB|dynamodb|dynamo, CockroachDB|cockroachdb|cockroach, Cassandra|cassandra, Firestore|firestore, Supabase|supabase, PlanetScale|planetscale, SQL Server|mssql|sql server, Oracle|oracle, Turso|turso, Neon|neon, DuckDB|duckdb, ClickHouse|clickhouse',
  ),
  attribute(
    'stack',
    'cache',
    'cache, caching layer, cache store',
    'Redis|redis, Memcached|memcached, Valkey|valkey, Dragonfly|dragonfly',
  ),
  attribute(
    'stack',
    'queue',
    'queue, message queue, message broker, broker, job queue',
    'RabbitMQ|rabbitmq, Kafka|kafka, SQS|sqs|amazon sqs, NATS|nats, BullMQ|bullmq|bull, Celery|celery, Sidekiq|sidekiq',
  ),
  attribute(
    'stack',
    'orm',
    'orm, query builder',
    'Prisma|prisma, Drizzle|drizzle|drizzle orm, TypeORM|typeorm, Sequelize|sequelize, Knex|knex, Kysely|kysely, SQLAlchemy|sqlalchemy, Hibernate|hibernate, Mongoose|mongoose, MikroORM|mikroorm, ActiveRecord|active record',
  ),
  attribute(
    'stack',
    'styling',
    'css framework, styling, css library, css',
    'Tailwind|tailwind|tailwindcss|tailwind css, Bootstrap|bootstrap, styled-components|styled components, CSS Modules|css modules, Sass|sass|scss, Emotion|emotion, UnoCSS|unocss, vanilla-extract',
  ),
  attribute(
    'stack',
    'component_library',
    'component library, ui kit, design system',
    'Material UI|mui|material ui, Chakra UI|chakra|chakra ui, shadcn/ui|shadcn, Ant Design|antd|ant design, Mantine|mantine, Radix|radix ui|radix',
  ),
  attribute(
    'stack',
    'state_management',
    'state management, state library, store library',
    'Redux|redux|redux toolkit, Zustand|zustand, MobX|mobx, Recoil|recoil, Jotai|jotai, Pinia|pinia, Vuex|vuex, XState|xstate',
  ),
  attribute(
    'stack',
    'validation',
    'validation library, schema library, validation',
    'Zod|zod, Yup|yup, Joi|joi, Valibot|valibot, ArkType|arktype, TypeBox|typebox, Pydantic|pydantic',
  ),
  attribute(
    'stack',
    'api_style',
    'api style, api layer',
    'REST|rest, GraphQL|graphql, tRPC|trpc, gRPC|grpc, SOAP|soap',
  ),
  attribute(
    'stack',
    'authentication',
    'auth, authentication, auth method, login',
    'JWT|jwt|jwts, session cookies|sessions|cookie sessions|server-side sessions, OAuth|oauth2|oauth 2.0, Auth0|auth0, Clerk|clerk, NextAuth|next-auth|auth.js, Keycloak|keycloak, Firebase Auth|firebase auth, passkeys, SAML|saml, Cognito|cognito, Lucia|lucia',
  ),
  attribute(
    'stack',
    'hosting',
    'hosting, cloud, cloud provider, hosting provider, deployment target, host',
    'AWS|amazon web services, GCP|google cloud, Azure|azure, Vercel|vercel, Netlify|netlify, Heroku|heroku, Fly.io|fly|fly.io, Railway|railway, Render, DigitalOcean|digital ocean, Cloudflare|cloudflare workers|cloudflare, Hetzner|hetzner, Firebase|firebase',
  ),
  attribute(
    'stack',
    'orchestration',
    'orchestration, container orchestration',
    'Kubernetes|k8s, Nomad|nomad, Docker Swarm|swarm, ECS|ecs, Docker Compose|docker compose|docker-compose',
  ),
  attribute(
    'stack',
    'infrastructure_tool',
    'infrastructure as code, iac, infra tool',
    'Terraform|terraform, Pulumi|pulumi, Ansible|ansible, CDK|aws cdk, OpenTofu|opentofu, CloudFormation|cloudformation',
  ),
  attribute(
    'stack',
    'container_tool',
    'container tool, container runtime, containers',
    'Docker|docker, Podman|podman, containerd, Buildah|buildah',
  ),
  attribute(
    'stack',
    'logging',
    'logging, logger, logging library, log library',
    'pino, winston, log4j, logback, loguru, structlog, zerolog, Serilog|serilog, bunyan',
  ),
  attribute(
    'stack',
    'payments',
    'payment provider, payments, payment processor',
    'Stripe|stripe, PayPal|paypal, Adyen|adyen, Braintree|braintree, Square, Paddle|paddle, Lemon Squeezy|lemon squeezy',
  ),
  attribute(
    'style',
    'indentation',
    'indentation, indent, indents, indenting, indent style, tab width',
    'tabs|hard tabs, spaces|soft tabs, 2 spaces|two spaces|2-space|two-space|2-space indentation|2 space, 4 spaces|four spaces|4-space|four-space|4-space indentation|4 space, 8 spaces|eight spaces',
  ),
  attribute(
    'style',
    'quotes',
    'quotes, quote style, string quotes',
    'single quotes|single-quotes, double quotes|double-quotes',
  ),
  attribute(
    'style',
    'semicolons',
    'semicolon style',
    'semicolons, no semicolons|without semicolons',
  ),
  attribute(
    'style',
    'line_length',
    'line length, line width, max line length, print width, column limit',
    '',
  ),
  attribute(
    'style',
    'naming',
    'naming convention, naming style, variable naming, file naming, naming',
    'camelCase|camel case, snake_case|snake case, PascalCase|pascal case, kebab-case|kebab case',
  ),
  attribute(
    'style',
    'paradigm',
    'programming style, coding style, paradigm',
    'functional programming|functional style|functional, object-oriented|oop|object oriented',
  ),
  attribute('style', 'exports', 'export style', 'named exports, default exports'),
  attribute(
    'style',
    'module_system',
    'module system, modules',
    'ES modules|esm|es modules, CommonJS|commonjs|cjs',
  ),
  attribute(
    'workflow',
    'commit_style',
    'commit style, commit messages, commit message format, commit format',
    'conventional commits, gitmoji',
  ),
  attribute(
    'workflow',
    'branching',
    'branching model, branching strategy, git workflow',
    'trunk-based development|trunk based, git flow|gitflow, GitHub flow|github flow',
  ),
  attribute(
    'workflow',
    'merge_style',
    'merge strategy, merge style',
    'squash merge|squash merges|squash and merge|squash merging, rebase|rebasing|rebase merging, merge commits',
  ),
  attribute(
    'workflow',
    'default_branch',
    'default branch, main branch',
    'main, master, trunk, develop',
  ),
  attribute(
    'workflow',
    'methodology',
    'methodology, development process',
    'scrum, kanban, TDD|test-driven development',
  ),
  attribute(
    'workflow',
    'repository_layout',
    'repo layout, repository layout, repo structure',
    'monorepo|mono-repo, polyrepo|multi-repo|separate repos',
  ),
  attribute(
    'communication',
    'answer_language',
    'response language, reply language, answer language',
    'English|english, German|german|deutsch, French|french|français, Spanish|spanish|español, Portuguese|portuguese, Italian|italian, Japanese|japanese, Chinese|chinese, Korean|korean, Russian|russian, Dutch|dutch, Polish|polish',
  ),
  attribute(
    'communication',
    'answer_length',
    'answer length, verbosity, answers, explanations, responses, replies',
    'short answers|concise answers|brief answers|terse answers|concise responses|short responses|brief responses|short explanations, detailed answers|long answers|detailed explanations|verbose answers|thorough explanations|detailed responses',
  ),
  attribute(
    'communication',
    'theme',
    'color scheme, colour scheme, editor theme, ui theme',
    'dark mode|dark theme, light mode|light theme, solarized, gruvbox, Dracula|dracula, Nord theme, Monokai|monokai, Catppuccin|catppuccin, Tokyo Night|tokyo night, One Dark|one dark',
  ),
  attribute('personal', 'role', 'role, job title', ''),
  attribute('personal', 'name', 'first name, nickname', ''),
  attribute('personal', 'timezone', 'timezone, time zone', ''),
  attribute('personal', 'location', 'location, city', ''),
  attribute('personal', 'employer', 'employer', ''),
  attribute('personal', 'experience', 'experience level, seniority', ''),
  attribute('personal', 'pronouns', 'pronouns', ''),
  attribute('personal', 'team', 'team', ''),
  attribute(
    'project',
    'deadline',
    'deadline, due date, launch date, release date, ship date, go-live date, target date',
    '',
  ),
  attribute('project', 'budget', 'budget', ''),
  attribute('project', 'status', 'status, project status', ''),
  attribute('project', 'priority', 'priority, top priority', ''),
  attribute(
    'project',
    'license',
    'license, licence',
    'MIT|mit license, Apache 2.0|apache-2.0|apache license, GPL|gplv3|gpl-3.0, BSD|bsd license, MPL|mpl-2.0, AGPL|agpl|agplv3',
  ),
  attribute('project', 'port', 'port, dev server port', ''),
  attribute('project', 'node_version', 'node version, node.js version', ''),
  attribute('project', 'python_version', 'python version', ''),
  attribute(
    'project',
    'coverage_threshold',
    'coverage threshold, coverage target, test coverage',
    '',
  ),
]
