package io.penstock.engine.destination;

/** What can be done to a gate. */
public enum GateAction {
  PAUSE,
  RESUME,
  HOLD,
  RELEASE,
  DISABLE,
  ENABLE
}
