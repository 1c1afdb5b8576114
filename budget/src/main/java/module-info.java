/**
 * Budgets as pure rules: the smallest thing that says no. Needs {@code java.base} and nothing else.
 */
module io.penstock.budget {
  requires static org.jspecify;

  exports io.penstock.budget;
  exports io.penstock.budget.memory;
  exports io.penstock.budget.permit;
  exports io.penstock.budget.quota;
  exports io.penstock.budget.work;
}
