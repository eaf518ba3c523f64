import { CreditHistory } from '../../features/credits/CreditHistory.tsx'
import { useBalance, useRefreshCredits } from '../../features/credits/use-balance.ts'
import { useCreditHistory, useSpending } from '../../features/credits/use-credit-history.ts'
import { Page } from '../../ui/Page.tsx'

export function CreditsPage() {
  const { credits, owedCredits } = useBalance()
  const history = useCreditHistory()
  const spending = useSpending()
  const refresh = useRefreshCredits()
  return (
    <Page title="Credit History">
      <CreditHistory
        credits={credits}
        owedCredits={owedCredits}
        spending={
          spending.data !== undefined
            ? { state: 'known', days: spending.data }
            : { state: spending.isError ? 'failed' : 'loading' }
        }
        transactions={history.data}
        hasFailed={history.isError && !history.isFetchNextPageError}
        hasMoreFailed={history.isFetchNextPageError}
        hasMore={history.hasNextPage}
        isLoadingMore={history.isFetchingNextPage}
        isRefreshing={history.isRefetching}
        onRefresh={() => void refresh()}
        onLoadMore={() => void history.fetchNextPage()}
      />
    </Page>
  )
}
